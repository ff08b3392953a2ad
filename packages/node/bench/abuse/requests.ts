import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import type { Client, Sent } from './client.ts'

/** A kind of request. */
export interface Kind {
  name: string
  /** How many `ask` sends, or counts as: one when left out. */
  each?: number
  ask(): Promise<unknown>
}

export interface Place {
  client: Client
  apiKey: string
  code: string
  /** Of a merchant whose payments have as much `extra` as there may be, in letters that JSON writes with six. */
  heavyKey: string
}

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
let another = 0
/** Never the same twice, so that nothing is remembered. */
const unique = () => `u${++another}x`

/** What everything is measured by, one payment with a key; then every kind of hostile request. */
export async function kinds({ client, apiKey, code, heavyKey }: Place): Promise<[Kind, ...Kind[]]> {
  const authorization = basic(`${apiKey}:`)
  const wrong = await wrongKeys()
  const attempt = await visit(client, `/qr/${code}?amount=100`)
  const one = (name: string, sent: () => Sent): Kind => ({ name, ask: () => client.send(sent()) })
  const get = (name: string, path: () => string, headers: Record<string, string> = {}) =>
    one(name, () => ({ path: path(), headers: { authorization, ...headers } }))
  const post = (name: string, path: string, body: string, headers: Record<string, string> = {}) =>
    one(name, () => ({
      method: 'POST',
      path,
      body,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    }))
  const filled = (piece: string, bytes: number) => piece.repeat(Math.floor(bytes / piece.length))
  const preflight = { origin: 'https://a.example', 'access-control-request-method': 'GET' }

  return [
    get('one payment by id', () => '/v1/payments/1'),
    post('pay page: a form of 1 MB of a&', attempt.path, filled('a&', 1_000_000), attempt.headers),
    post('pay page: a form of 16 KiB of a&', attempt.path, filled('a&', 16_000), attempt.headers),
    post('pay page: a form of 16 KiB of %41', attempt.path, `a=${filled('%41', 16_000)}`, attempt.headers),
    post('pay page: 64 fields that it does not know', attempt.path, filled('abc=def&', 500), attempt.headers),
    get('pay page: an address of another', () => `/qr/${code}/pay/${'A'.repeat(52)}?amount=100`),
    post('readForm: 1 MB of a&', '/form', filled('a&', 1_000_000)),
    post('readForm: 16 KiB of a&', '/form', filled('a&', 16_000)),
    post('readForm: 100 fields of %41 in 16 KiB', '/form', filled(`${filled('%41', 159)}&`, 15_900)),
    post('a body of 1 MB that nobody wants', '/v1/cash_ups', filled('x', 1_000_000)),
    post('a body of 64 KiB', '/body', filled('x', 65_536)),
    { name: 'a body in 200 pieces of a byte', ask: () => client.dribble('/body', 200) },
    { name: 'the same that nobody wants', ask: () => client.dribble('/v1/payments', 200) },
    get('API: a query of a thousand pairs', () => `/v1/payments?${filled('a=1&', 4000)}`),
    get('API: a query of a hundred pairs', () => `/v1/payments?${filled('a=1&', 399)}`),
    get('API: a query of 8 KiB of %41', () => `/v1/payments?userReference=${filled('%41', 8100)}`),
    get(
      'API: a hundred names of %41 in 8 KiB',
      () => `/v1/payments?${filled(`${filled('%41', 79)}=&`, 8000)}`,
    ),
    get('API: a path of 8 KiB of %41', () => `/v1/payments/${filled('%41', 8100)}`),
    get('API: a path of 8,000 slashes', () => `/v1/${filled('/', 8000)}`),
    get('API: the last page there is', () => '/v1/payments?page=9007199254740991&perPage=100'),
    get('API: an offset without end', () => '/v1/payments?offset=9007199254740991'),
    {
      ...get('API: a page of large extras, by what it counts as', () => '/v1/payments?perPage=100', {
        authorization: basic(`${heavyKey}:`),
      }),
      each: 1 + Math.floor((100 * 8000 * 6) / 65_536),
    },
    get('QR: a query of a thousand pairs', () => `/images/${code}?${filled('a=1&', 4000)}`),
    get(
      'QR: a hundred pairs of %41 in 8 KiB',
      () => `/images/${code}?${filled(`${filled('%41', 79)}=&`, 8000)}`,
    ),
    get('QR: 8 KiB with a made-up signature, ten keys', () => {
      const extra = `${filled('a', 75)}=`
      const pairs = Array.from({ length: 95 }, (_, n) => `${n}${extra}`).join('&')
      return `/signed/${code}?${pairs}&scan_code_signature=${filled('A', 24)}`
    }),
    get('QR: an unknown code', () => `/images/${unique()}`),
    get('QR: an image of an unknown code', () => `/images/${unique()}.png`),
    ...['svg', 'png'].flatMap(type => [
      get(
        `QR: ${type}, 500 px, a short URL`,
        () => `/images/${code}.${type}?scan_code_size=500&id=${unique()}`,
      ),
      get(
        `QR: ${type}, 500 px, the longest URL`,
        () => `/images/${code}.${type}?scan_code_size=500&id=${unique()}${filled('aZ', 735)}`,
      ),
      get(
        `QR: ${type}, 500 px, a URL of 6.9 kB`,
        () => `/images/${code}.${type}?scan_code_size=500&id=${unique()}${filled('1', 6900)}`,
      ),
      get(`QR: ${type}, 500 px, the same again`, () => `/images/${code}.${type}?scan_code_size=500`),
    ]),
    get('QR: 14 KiB of If-None-Match', () => `/images/${code}.svg`, {
      'if-none-match': filled('"a", ', 14_000),
    }),
    get('API: no key', () => '/v1/payments', { authorization: '' }),
    one('API: a wrong key', () => ({
      path: '/v1/payments',
      headers: { authorization: basic(`${wrong[++another % wrong.length]}:`) },
    })),
    get('API: 14 KiB of basic authentication', () => '/v1/payments', {
      authorization: basic(filled('a', 10_000)),
    }),
    get('API: basic authentication that is none', () => '/v1/payments', {
      authorization: `Basic ${filled('QUFB', 14_000)}!`,
    }),
    get('API: 14 KiB of headers', () => '/v1/payments/1', { 'x-a': filled('a', 14_000) }),
    get('API: 14 KiB of X-Forwarded-For', () => '/v1/payments/1', {
      'x-forwarded-for': filled('1.1.1.1,', 14_000),
    }),
    get('API: X-Forwarded-For of garbage', () => '/v1/payments/1', {
      'x-forwarded-for': filled('[":,', 14_000),
    }),
    get('API: an X-Request-Id of 14 KiB', () => '/v1/payments/1', { 'x-request-id': filled('a', 14_000) }),
    one('a preflight', () => ({ method: 'OPTIONS', path: '/v1/payments', headers: preflight })),
    one('a preflight of a thousand headers', () => ({
      method: 'OPTIONS',
      path: '/v1/payments',
      headers: { ...preflight, 'access-control-request-headers': filled('x-header,', 9000) },
    })),
    {
      name: 'a burst of 500 wrong keys, one of them',
      each: wrong.length,
      ask() {
        const address = `10.${another >> 16}.${(another >> 8) & 255}.${another & 255}`
        another += 1
        const requests = wrong.map(key =>
          client.send({
            path: '/limited/payments',
            headers: { authorization: basic(`${key}:`), 'x-forwarded-for': address },
          }),
        )
        return Promise.all(requests)
      },
    },
  ]
}

/** Keys of the right form that nobody has. */
async function wrongKeys(): Promise<string[]> {
  const till = createTill({ storage: memoryStorage(), logger: false })
  const { id } = await till.merchants.create({ name: 'Nobody' })
  const keys = Array.from({ length: 500 }, () => till.apiKeys.issue(id))
  return (await Promise.all(keys)).map(({ apiKey }) => apiKey)
}

/** Scans a code: where its form is posted to, and what a browser sends along. */
async function visit(
  client: Client,
  path: string,
): Promise<{ path: string; headers: Record<string, string> }> {
  const { headers } = await client.send({ path })
  const cookie = [headers['set-cookie'] ?? []]
    .flat()
    .map(text => text.split(';', 1)[0])
    .join('; ')
  const { pathname, search } = new URL(String(headers.location), `http://localhost${path}`)
  return { path: pathname + search, headers: { cookie, 'sec-fetch-site': 'same-origin' } }
}
