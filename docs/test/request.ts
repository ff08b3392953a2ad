import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Sends a request to 127.0.0.1 as if `pay.example.com` were there, and believes any certificate. */
export function ask(
  scheme: 'http' | 'https',
  port: number,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const send = scheme === 'http' ? overHttp : overHttps
  const options = {
    ...{ host: '127.0.0.1', port, path, method, agent: false as const },
    headers: { host: 'pay.example.com', ...headers },
    ...(scheme === 'https' && { servername: 'pay.example.com', rejectUnauthorized: false }),
  }
  return new Promise((resolve, reject) => {
    const sent = send(options, response => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', text => {
        body += text
      })
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    sent.on('error', reject)
    sent.end()
  })
}
