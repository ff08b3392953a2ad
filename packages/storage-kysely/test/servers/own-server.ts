import { createServer } from 'node:net'

/** A database server that a test started for itself. */
export interface OwnServer {
  /** Of an empty database. */
  url: string
  stop(): Promise<void>
  /** Starts it again, on the same port and with the same data. */
  start(): Promise<void>
  /** Stops it and deletes its data. */
  remove(): Promise<void>
}

/** A port that nobody listens at. */
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
