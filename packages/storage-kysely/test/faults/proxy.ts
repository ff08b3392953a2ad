import { createConnection, createServer, type Socket } from 'node:net'

/** A TCP proxy before a server, which cuts connections, or swallows what they carry, where it is told to. */
export interface CuttingProxy {
  port: number
  /** Cuts the next connection that sends what `pattern` matches, before the server gets it. */
  cutBefore(pattern: RegExp): void
  /** The same, after the server has done it and before its answer is passed on. */
  cutAfter(pattern: RegExp): void
  /** From the next data that `pattern` matches on, its connection stays open and nothing passes any more. */
  swallowBefore(pattern: RegExp): void
  /** The same, after the server has been given it. */
  swallowAfter(pattern: RegExp): void
  /** Nothing passes any more on any connection, while `swallowing`; what was swallowed is lost. */
  swallow(swallowing: boolean): void
  /** How many connections were cut so far. */
  cuts(): number
  close(): Promise<void>
}

const WHEN = {
  cutBefore: { before: true, swallows: false },
  cutAfter: { before: false, swallows: false },
  swallowBefore: { before: true, swallows: true },
  swallowAfter: { before: false, swallows: true },
}

export async function startProxy(target: { host: string; port: number }): Promise<CuttingProxy> {
  let armed: { pattern: RegExp; when: keyof typeof WHEN } | undefined
  let swallowing = false
  let cuts = 0
  const sockets = new Set<Socket>()

  const server = createServer(client => {
    const upstream = createConnection(target)
    let cutting = false
    let silent = false
    const cut = () => {
      cuts += 1
      client.resetAndDestroy()
      upstream.destroy()
    }
    client.on('data', data => {
      if (silent || swallowing) return
      if (armed?.pattern.test(data.toString('latin1'))) {
        const { before, swallows } = WHEN[armed.when]
        armed = undefined
        silent = swallows
        if (before) return swallows ? undefined : cut()
        cutting = !swallows
      }
      upstream.write(data)
    })
    upstream.on('data', data => {
      if (silent || swallowing) return
      if (cutting) cut()
      else client.write(data)
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
  const arm = (pattern: RegExp, when: keyof typeof WHEN) => {
    armed = { pattern, when }
  }

  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cutBefore: pattern => arm(pattern, 'cutBefore'),
    cutAfter: pattern => arm(pattern, 'cutAfter'),
    swallowBefore: pattern => arm(pattern, 'swallowBefore'),
    swallowAfter: pattern => arm(pattern, 'swallowAfter'),
    swallow: given => {
      swallowing = given
    },
    cuts: () => cuts,
    close: () =>
      new Promise(resolve => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
