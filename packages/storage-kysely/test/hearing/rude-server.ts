import { createServer, type Socket } from 'node:net'

/** A PostgreSQL server, as far as one must be, which tells its clients to go in the packet in which it answers them. */
export interface RudeServer {
  port: number
  close(): Promise<void>
}

const message = (type: string, body: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
const READY = message('Z', Buffer.from('I'))
const HELLO = Buffer.concat([message('R', Buffer.alloc(4)), READY])
const FATAL = message(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
)
/** An answer without rows to a simple query, and to an extended one. */
const ANSWERS: Record<string, Buffer> = {
  Q: Buffer.concat([message('C', Buffer.from('SELECT 0\0')), READY]),
  S: Buffer.concat([
    message('1', Buffer.alloc(0)),
    message('2', Buffer.alloc(0)),
    message('n', Buffer.alloc(0)),
    message('C', Buffer.from('SELECT 0\0')),
    READY,
  ]),
}

/** @param after - whether it says so after the greeting, or after the first answer. */
export async function startRudeServer(after: 'greeting' | 'answer'): Promise<RudeServer> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.once('data', () => {
      socket.write(after === 'greeting' ? Buffer.concat([HELLO, FATAL]) : HELLO)
      if (after === 'greeting') socket.end()
      socket.on('data', data => {
        const answer = ANSWERS[data[0] === 0x51 ? 'Q' : 'S'] ?? READY
        socket.end(Buffer.concat([answer, FATAL]))
      })
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close: () =>
      new Promise(resolve => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
