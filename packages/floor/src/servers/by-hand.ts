/**
 * The floor: the least code that answers the same, raw `node:http` over statements by hand. It checks the key and the
 * numbers and sends the same headers and bodies, but has no routes, limits, errors or time limits to speak of.
 */
import './report-cpu.ts'
import { hash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type ByHand, PAGE, type Page, type Place } from '../by-hand/by-hand.ts'
import { mysqlByHand } from '../by-hand/mysql.ts'
import { postgresByHand } from '../by-hand/postgres.ts'
import { sqliteByHand } from '../by-hand/sqlite.ts'

const place: Place = JSON.parse(process.argv[2] ?? '')
const byHand = open(place)

function open(place: Place): ByHand {
  if (place.engine === 'postgres') return postgresByHand(place.connectionString, place.schema)
  return place.engine === 'mysql' ? mysqlByHand(place.uri) : sqliteByHand(place.file)
}

function send(response: ServerResponse, body: unknown, headers: Record<string, string | number> = {}): void {
  const text = JSON.stringify(body)
  const length = Buffer.byteLength(text)
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers':
      'X-Total, X-Total-Pages, X-Page, X-Per-Page, X-Next-Page, X-Prev-Page, X-Offset, Retry-After, RateLimit, RateLimit-Policy',
    'Content-Length': length,
    ...headers,
  })
  // Text whose characters are its bytes goes out with the head, and none of it is encoded.
  response.end(text, length === text.length ? 'latin1' : 'utf8')
}

function sendPage(response: ServerResponse, found: Page, page: number): void {
  if (!found) return void response.writeHead(401).end()
  const pages = Math.ceil(found.total / PAGE)
  send(response, found.items, {
    'X-Total': found.total,
    'X-Total-Pages': pages,
    'X-Page': page,
    'X-Per-Page': PAGE,
    'X-Next-Page': page < pages ? page + 1 : '',
    'X-Prev-Page': page > 1 ? page - 1 : '',
    'X-Offset': 0,
  })
}

function sendOne(response: ServerResponse, found: object | null): void {
  if (found) send(response, found)
  else response.writeHead(404).end()
}

async function bodyOf(request: IncomingMessage) {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return JSON.parse(Buffer.concat(parts).toString())
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const secret = Buffer.from((request.headers.authorization ?? '').slice(6), 'base64').toString()
  const key = hash('sha256', secret.slice(0, secret.indexOf(':')), 'hex')
  const [path = '', query = ''] = (request.url ?? '').split('?')
  if (path === '/v1/payments') {
    if (request.method === 'POST') return sendOne(response, await byHand.start(key, await bodyOf(request)))
    const asked = new URLSearchParams(query)
    const page = Number(asked.get('page') ?? 1)
    const skip = (page - 1) * PAGE
    const list = asked.get('status') === 'completed' ? byHand.completed : byHand.page
    return sendPage(response, await list(key, skip), page)
  }
  if (path.startsWith('/v1/payments/cash_ups/'))
    return sendPage(response, await byHand.period(key, path.slice(22)), 1)
  const [, , , id, verb] = path.split('/')
  sendOne(
    response,
    verb === 'complete' ? await byHand.complete(key, Number(id)) : await byHand.find(key, Number(id)),
  )
}

createServer((request, response) => {
  answer(request, response).catch(error => {
    console.error(error)
    response.writeHead(500).end()
  })
}).listen(0, '127.0.0.1', function (this: { address(): unknown }) {
  process.send?.((this.address() as { port: number }).port)
})
