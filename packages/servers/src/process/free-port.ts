import { createServer } from 'node:net'

/**
 * Below those that systems give to whoever asks for any port: what is found free here stays so until a server is there that takes
 * its time, and while it is started again.
 */
const [FIRST, COUNT] = [20_000, 12_000]

/** So many in a row are asked for by one process before those of another. */
const OWN = 32

let asked = 0

/** A port of this machine that nobody listens at. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + ((process.pid * OWN + asked++) % COUNT)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false)
      else reject(error)
    })
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
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
