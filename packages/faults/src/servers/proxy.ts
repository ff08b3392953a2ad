import { createConnection, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { MARK } from '../journal/mark.ts'

/** What the proxy does to the connections that it concerns. */
export type Fault =
  /** Cuts one where a commit is on its way, before the server has it. */
  | { kind: 'cut before a commit' }
  /** The same, after the server has done it and before its answer is passed on. */
  | { kind: 'cut at the answer of a commit' }
  /** Cuts one after so many more pieces of data, whichever way they go. */
  | { kind: 'cut anywhere'; pieces: number }
  /** Holds every piece up for so long, until it is healed. */
  | { kind: 'delay'; milliseconds: number }
  /** Passes nothing on and closes nothing: until it is healed for new connections, for good on those that it concerned. */
  | { kind: 'swallow' }

/** A TCP proxy before a database server. */
export interface Proxy {
  port: number
  arm(fault: Fault): void
  /** Ends what is armed. */
  heal(): void
  /** How many connections were cut, held up or swallowed so far. */
  struck(): number
  close(): Promise<void>
}

/** COMMIT, or a statement that is one by itself: those carry a payment's text. */
const COMMITS = new RegExp(`commit(?!t)|${MARK}`, 'i')

export async function startProxy(target: { host: string; port: number }): Promise<Proxy> {
  let armed: Fault | undefined
  let pieces = 0
  let struck = 0
  const sockets = new Set<Socket>()

  /** What becomes of a piece of data. */
  function fate(data: Buffer, toServer: boolean): 'pass' | 'cut' | 'cut the answer' | 'hold' | 'swallow' {
    if (armed === undefined) return 'pass'
    switch (armed.kind) {
      case 'swallow':
        return 'swallow'
      case 'delay':
        return 'hold'
      case 'cut anywhere':
        if (++pieces <= armed.pieces) return 'pass'
        armed = undefined
        return 'cut'
      default: {
        if (!toServer || !COMMITS.test(data.toString('latin1'))) return 'pass'
        const before = armed.kind === 'cut before a commit'
        armed = undefined
        return before ? 'cut' : 'cut the answer'
      }
    }
  }

  function tunnel(client: Socket): void {
    const upstream = createConnection(target)
    let state: 'open' | 'cutting' | 'held' | 'swallowed' = 'open'
    const cut = () => {
      struck += 1
      client.resetAndDestroy()
      upstream.destroy()
    }
    const pipe = (from: Socket, to: Socket) => {
      const send = inOrder(to)
      from.on('data', data => {
        if (state === 'swallowed') return
        if (state === 'cutting' && from === upstream) return cut()
        const what = fate(data, to === upstream)
        if (what === 'cut') return cut()
        if (what === 'swallow') {
          struck += 1
          state = 'swallowed'
          return
        }
        if (what === 'cut the answer') state = 'cutting'
        if (what === 'hold' && state === 'open') {
          struck += 1
          state = 'held'
        }
        send(data, what === 'hold' && armed?.kind === 'delay' ? armed.milliseconds : 0)
      })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        // A path that has died tells nobody that the other end is gone.
        if (state !== 'swallowed') to.destroy()
      })
      sockets.add(from)
    }
    pipe(client, upstream)
    pipe(upstream, client)
  }

  const server = createServer(tunnel)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()

  return {
    port: typeof address === 'object' && address ? address.port : 0,
    arm(fault) {
      armed = fault
      pieces = 0
    },
    heal() {
      armed = undefined
    },
    struck: () => struck,
    close: () =>
      new Promise(resolve => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** Writes pieces in the order in which they came, however long each is held up. */
function inOrder(to: Socket): (data: Buffer, milliseconds: number) => void {
  let last = Promise.resolve()
  let waiting = 0
  return (data, milliseconds) => {
    if (milliseconds === 0 && waiting === 0) {
      to.write(data)
      return
    }
    waiting += 1
    const due = Date.now() + milliseconds
    last = last.then(async () => {
      await sleep(Math.max(0, due - Date.now()))
      waiting -= 1
      to.write(data)
    })
  }
}
