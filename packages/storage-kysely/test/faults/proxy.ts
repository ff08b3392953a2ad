import { createConnection, createServer, type Socket } from 'node:net'

/**
 * A TCP proxy before a server, which cuts connections, or swallows what they carry, where it is told to: for each pattern what it was
 * told last.
 */
export interface CuttingProxy {
  port: number
  /** Cuts the next connection that sends what `pattern` matches, before the server gets it. */
  cutBefore(pattern: RegExp): void
  /** The same, after the server has done it and before its answer is passed on. */
  cutAfter(pattern: RegExp): void
  /** From the next data that `pattern` matches on, so many times, its connection stays open and nothing passes any more. */
  swallowBefore(pattern: RegExp, times?: number): void
  /** The same, after the server has been given it. */
  swallowAfter(pattern: RegExp): void
  /** Answers so many times what `pattern` matches with `answer`, and the server is not given it. */
  answerBefore(pattern: RegExp, answer: Buffer, times?: number): void
  /** The same, after the server has done it, in place of its own answer. */
  answerAfter(pattern: RegExp, answer: Buffer, times?: number): void
  /** Keeps the answer to the next data that `pattern` matches until what is resolved to is called: once it is kept. */
  keepAnswer(pattern: RegExp): Promise<() => void>
  /** Nothing passes any more on any connection, while `swallowing`; what was swallowed is lost. */
  swallow(swallowing: boolean): void
  /** Nothing passes any more on the connections that there are, and their ends are not heard either. */
  freeze(): void
  /** How many connections were cut so far. */
  cuts(): number
  /** How many connections are open. */
  open(): number
  close(): Promise<void>
}

/** What becomes of what a pattern matches, or of its answer. */
interface Armed {
  pattern: RegExp
  before: boolean
  how: 'cut' | 'swallow' | Buffer | Keep
  times: number
}

/** Takes what passes on an answer. */
type Keep = (passOn: () => void) => void

export async function startProxy(target: { host: string; port: number }): Promise<CuttingProxy> {
  const armedBy = new Map<string, Armed>()
  let swallowing = false
  let cuts = 0
  const sockets = new Set<Socket>()

  const server = createServer(client => {
    const upstream = createConnection(target)
    let answer: 'cut' | Buffer | Keep | undefined
    let silent = false
    const cut = () => {
      cuts += 1
      client.resetAndDestroy()
      upstream.destroy()
    }
    client.on('data', data => {
      if (silent || swallowing) return
      const armed = [...armedBy.values()].find(({ pattern }) => pattern.test(data.toString('latin1')))
      if (armed) {
        const { pattern, before, how } = armed
        armed.times -= 1
        if (armed.times === 0) armedBy.delete(pattern.source)
        if (how === 'swallow') silent = true
        else if (!before) answer = how
        else if (how === 'cut') cut()
        else if (typeof how !== 'function') client.write(how)
        if (before) return
      }
      upstream.write(data)
    })
    upstream.on('data', data => {
      if (silent || swallowing) return
      if (answer === 'cut') return cut()
      if (typeof answer === 'function') answer(() => client.write(data))
      else client.write(answer ?? data)
      answer = undefined
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const arm = (pattern: RegExp, before: boolean, how: Armed['how'], times = 1) => {
    armedBy.set(pattern.source, { pattern, before, how, times })
  }

  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cutBefore: pattern => arm(pattern, true, 'cut'),
    cutAfter: pattern => arm(pattern, false, 'cut'),
    swallowBefore: (pattern, times) => arm(pattern, true, 'swallow', times),
    swallowAfter: pattern => arm(pattern, false, 'swallow'),
    answerBefore: (pattern, answer, times) => arm(pattern, true, answer, times),
    answerAfter: (pattern, answer, times) => arm(pattern, false, answer, times),
    keepAnswer: pattern => new Promise(kept => arm(pattern, false, kept)),
    swallow: given => {
      swallowing = given
    },
    freeze: () => {
      for (const socket of sockets) socket.pause()
    },
    cuts: () => cuts,
    // Of each both ends.
    open: () => Math.ceil(sockets.size / 2),
    close: () =>
      new Promise(resolve => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
