import { connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { type Message, NoAnswer, type Received } from './question.ts'
import type { Tls } from './tls.ts'

const LARGEST_HEAD = 256 * 1024
/** How long a server that does not end the connection may take to send what it should not. */
const SILENCE_MS = 2000

/**
 * Sends `HEAD` on a connection of its own and keeps all that comes until the server ends it. An HTTP client may not show
 * what follows the head of such an answer, and that nothing does is what is looked for.
 */
export function rawHead(
  { method, url, headers }: Message,
  { timeoutSeconds, tls }: { timeoutSeconds: number; tls: Tls },
): Promise<Received> {
  const { protocol, hostname, port, host } = new URL(url)
  const name = hostname.replace(/^\[|\]$/g, '')
  const path = url.slice(url.indexOf('/', `${protocol}//`.length))
  const all = { Host: host, ...headers, Connection: 'close' }
  const lines = Object.entries(all).map(([header, value]) => `${header}: ${value}`)
  const text = `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`

  return new Promise((resolve, reject) => {
    const isSecure = protocol === 'https:'
    const to = { host: name, port: Number(port || (isSecure ? 443 : 80)) }
    const socket = isSecure
      ? connectSecurely({ ...to, ...tls, ...(/^[\d.]+$|:/.test(name) ? {} : { servername: name }) })
      : connect(to)
    const pieces: Uint8Array[] = []
    let length = 0
    const end = (reason: string) => {
      clearTimeout(limit)
      socket.destroy()
      const received = parseHead(Buffer.concat(pieces).toString('latin1'))
      if (received === null) reject(new NoAnswer(reason))
      else resolve(received)
    }
    // Some servers keep the connection whatever they are asked for: what has come by then is the answer.
    const limit = setTimeout(() => end(`no answer within ${timeoutSeconds} s`), timeoutSeconds * 1000)
    socket.once('timeout', () => end('the answer did not end'))
    socket.on('data', piece => {
      pieces.push(piece)
      length += piece.length
      socket.setTimeout(SILENCE_MS)
      if (length > LARGEST_HEAD) end('the head of the answer is too large')
    })
    socket.once('end', () => end('the connection ended before an answer'))
    socket.once('close', () => end('the connection ended before an answer'))
    socket.once('error', error => end(error.message))
    socket.write(text)
  })
}

/** What stands before an answer, `103 Early Hints` for one, is passed over. */
const PROVISIONAL = /^(?:HTTP\/1\.[01] 10[0234-9][^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n)+/

function parseHead(came: string): Received | null {
  const text = came.replace(PROVISIONAL, '')
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\r\n')
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]
  if (end < 0 || status === undefined) return null
  const headers = new Map<string, string[]>()
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]*):[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value])
  }
  return { status: Number(status), headers, body: Buffer.from(text.slice(end + 4), 'latin1') }
}
