import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Received {
  method: string
  url: string
  headers: IncomingHttpHeaders
  rawHeaders: string[]
  body: string
}

type Answer = number | ((response: ServerResponse, received: Received, count: number) => void)

/** An HTTP receiver on loopback that keeps what it got and answers as told. It is gone when the test is over. */
export async function receiver(answer: Answer = 200) {
  const received: Received[] = []
  let arrived = Promise.withResolvers<void>()
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', headers, rawHeaders } = request
    const one = { method, url, headers, rawHeaders, body: Buffer.concat(chunks).toString('latin1') }
    received.push(one)
    arrived.resolve()
    arrived = Promise.withResolvers()
    if (typeof answer === 'number') response.writeHead(answer).end()
    else answer(response, one, received.length)
  }
  const server = createServer(listener)
  server.on('clientError', (_, socket) => socket.destroy())
  const { port, connections } = await listen(server)
  return {
    port,
    url: `http://127.0.0.1:${port}/hook?a=1&b=%20`,
    received,
    /** How many connections were ever opened to it. */
    connections,
    /** Resolves when `count` requests have come. */
    async got(count: number) {
      while (received.length < count) await arrived.promise
    },
  }
}

/** A receiver that answers what it has got only when told to. */
export async function heldReceiver() {
  const held: ServerResponse[] = []
  const hook = await receiver(response => {
    held.push(response)
  })
  return {
    ...hook,
    release(status = 200) {
      for (const response of held.splice(0)) response.writeHead(status).end()
    },
  }
}

/** A plain TCP server; `onConnection` decides what is said. */
export async function tcpReceiver(onConnection: (socket: Socket) => void) {
  const server = createTcpServer(onConnection)
  const { port, connections } = await listen(server)
  return { port, url: `http://127.0.0.1:${port}/`, connections }
}

async function listen(server: Server) {
  const sockets = new Set<Socket>()
  let count = 0
  server.on('connection', (socket: Socket) => {
    count++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise(resolve => server.close(resolve))
  })
  return { port: (server.address() as AddressInfo).port, connections: () => count }
}
