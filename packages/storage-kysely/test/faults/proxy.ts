import { createConnection, createServer, type Socket } from 'node:net'

/** A TCP proxy before a server, which cuts connections where it is told to. */
export interface CuttingProxy {
  port: number
  /** Cuts the next connection that sends what `pattern` matches, before the server gets it. */
  cutBefore(pattern: RegExp): void
  /** The same, after the server has done it and before its answer is passed on. */
  cutAfter(pattern: RegExp): void
  /** How many connections were cut so far. */
  cuts(): number
  close(): Promise<void>
}

export async function startProxy(target: { host: string; port: number }): Promise<CuttingProxy> {
  let armed: { pattern: RegExp; when: 'before' | 'after' } | undefined
  let cuts = 0
  const sockets = new Set<Socket>()

  const server = createServer(client => {
    const upstream = createConnection(target)
    let cutting = false
    const cut = () => {
      cuts += 1
      client.resetAndDestroy()
      upstream.destroy()
    }
    client.on('data', data => {
      if (armed?.pattern.test(data.toString('latin1'))) {
        const { when } = armed
        armed = undefined
        if (when === 'before') return cut()
        cutting = true
      }
      upstream.write(data)
    })
    upstream.on('data', data => {
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

  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cutBefore: pattern => {
      armed = { pattern, when: 'before' }
    },
    cutAfter: pattern => {
      armed = { pattern, when: 'after' }
    },
    cuts: () => cuts,
    close: () =>
      new Promise(resolve => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
