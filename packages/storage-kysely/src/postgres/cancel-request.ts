import { connect, type Socket } from 'node:net'

/** What pg knows of where its client's session is. */
export interface SessionAddress {
  /** The server's name or address, or the folder of its socket. */
  host?: string
  /** The server's port. */
  port?: number
  /** The id of the session. */
  processID?: number | null
  /** What proves to the server that the session is the caller's. */
  secretKey?: unknown
}

const CANCEL_REQUEST = 80_877_102

/**
 * Asks the server to give up the statement that a session is at, by the protocol's own request, which poolers pass on too.
 * Resolves to true when the server has taken it, and to false where it cannot be had.
 */
export function cancelRequest({ host, port, processID, secretKey }: SessionAddress): Promise<boolean> {
  if (!host || !port || typeof processID !== 'number' || typeof secretKey !== 'number') {
    return Promise.resolve(false)
  }
  const request = Buffer.alloc(16)
  for (const [n, word] of [16, CANCEL_REQUEST, processID, secretKey].entries())
    request.writeInt32BE(word, n * 4)
  return new Promise(resolve => {
    const socket: Socket = host.startsWith('/')
      ? connect(`${host}/.s.PGSQL.${port}`)
      : connect({ host, port, keepAlive: false })
    socket.unref()
    socket.setTimeout(1000, () => socket.destroy())
    socket.on('connect', () => socket.write(request))
    socket.on('data', () => {})
    socket.on('error', () => {})
    // The server says nothing: it hangs up when it has passed the request on.
    socket.on('end', () => resolve(true))
    socket.on('close', () => resolve(false))
  })
}
