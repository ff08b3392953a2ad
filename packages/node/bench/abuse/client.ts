import { Agent, request } from 'node:http'
import { connect } from 'node:net'

export interface Sent {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
}

/** Sends requests to a server, and waits for their answers. */
export interface Client {
  send(sent: Sent): Promise<Answer>
  /** One request a connection, its body written byte by byte. */
  dribble(path: string, bytes: number): Promise<void>
  close(): void
}

export function clientOf(port: number, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    send: ({ method = 'GET', path, headers = {}, body }) =>
      new Promise(resolve => {
        let answer: Answer = { status: 0, headers: {} }
        const sent = request({ agent, port, host: '127.0.0.1', method, path, headers })
        sent.on('response', response => {
          answer = { status: response.statusCode ?? 0, headers: response.headers }
          response.resume()
          // Whoever has his answer before he has sent it all hangs up.
          response.on('end', () => {
            if (!sent.writableFinished) sent.destroy()
          })
        })
        // A connection that is cut is an answer, too.
        sent.on('error', () => {})
        sent.on('close', () => resolve(answer))
        sent.end(body)
      }),
    dribble: (path, bytes) =>
      new Promise(resolve => {
        const socket = connect({ port, host: '127.0.0.1', noDelay: true })
        socket.on('error', () => {}).on('close', () => resolve())
        socket.resume()
        let left = bytes
        const next = () => {
          if (left-- > 0) socket.write('1\r\nx\r\n', () => setImmediate(next))
          else socket.end('0\r\n\r\n')
        }
        const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`
        socket.write(head, next)
      }),
    close: () => agent.destroy(),
  }
}
