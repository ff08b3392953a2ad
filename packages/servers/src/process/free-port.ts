import { createServer } from 'node:net'

/** A port of this machine that nobody listens at. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

/** On a machine that is busy a port may be taken between the moment it is found free and a server's start. */
const TRIES = 3

/** Runs what finds free ports and starts servers at them, and again from its start where that fails. */
export async function atFreePorts<Result>(start: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await start()
    } catch (error) {
      if (tries === TRIES) throw error
    }
  }
}
