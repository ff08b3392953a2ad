import type { HttpHandler } from '../../handler.ts'
import type { Checks } from '../capability.ts'

const bytes = Uint8Array.from({ length: 4 * 1024 * 1024 }, (_, i) => (i * 31 + (i >> 8)) & 0xff)
const text = 'Grüße ☕ \u{1f600}\0\r\n'

/** Which each server sends in the way that is soonest for it. */
const TEXTS = {
  'of all lengths of characters': text,
  'the same, long': text.repeat(5000),
  'letters of Latin-1': 'é'.repeat(3000),
  'half a pair of surrogates': 'a\ud83d',
  ASCII: '{"a":"\\u00e9"}',
  'ASCII, long': '~ '.repeat(50_000),
}

function answering(status: number, body: string | Uint8Array | null, headers = {}): HttpHandler {
  const length: Record<string, string> =
    body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  return async () => ({ status, headers: { ...length, ...headers }, body })
}

/** What a handler answers. */
export function responses({ test, expect, serving, tls }: Checks): void {
  for (const over of [undefined, tls]) {
    test(`bytes arrive as they are, with their length, over ${over ? 'TLS' : 'plain HTTP'}`, () =>
      serving(
        { mounts: { '/v1': answering(200, bytes, { 'Content-Type': 'image/png' }) }, tls: over },
        async client => {
          const { headers, body } = await client.send({ target: '/v1' })
          expect([headers['content-length'], headers['transfer-encoding']]).toEqual([
            String(bytes.length),
            undefined,
          ])
          expect(headers['content-type']).toBe('image/png')
          expect(Buffer.compare(body, bytes)).toBe(0)
        },
      ))
  }

  test('a part of a larger buffer arrives, and nothing around it', () =>
    serving({ mounts: { '/v1': answering(200, bytes.subarray(256, 512)) } }, async client => {
      const { body } = await client.send({ target: '/v1' })
      expect(Buffer.compare(body, bytes.subarray(256, 512))).toBe(0)
    }))

  for (const [what, sent] of Object.entries(TEXTS)) {
    test(`text is UTF-8: ${what}`, () =>
      serving(
        { mounts: { '/v1': answering(200, sent, { 'Content-Type': 'text/plain; charset=utf-8' }) } },
        async client => {
          const got = await client.send({ target: '/v1' })
          expect(Buffer.compare(got.body, Buffer.from(sent))).toBe(0)
          expect(got.headers['content-length']).toBe(String(Buffer.byteLength(sent)))
          expect(got.headers['content-type']).toBe('text/plain; charset=utf-8')
        },
      ))
  }

  test('a body without a length arrives whole', () =>
    serving({ mounts: { '/v1': async () => ({ status: 200, headers: {}, body: text }) } }, async client => {
      expect((await client.send({ target: '/v1' })).text).toBe(text)
    }))

  test('statuses and headers arrive as they are, and no body where there is none', () =>
    serving(
      {
        mounts: {
          '/201': answering(201, '{}', { Location: '/x?y=%20', 'X-A': 'ä' }),
          '/204': answering(204, null, { 'X-A': '1' }),
          '/302': answering(302, '', { Location: 'https://pay.example.com/a//b' }),
          '/304': answering(304, null, { ETag: '"a"' }),
          '/404': answering(404, '{"message":"ours"}', { 'Content-Type': 'application/json' }),
          '/503': answering(503, '{}', { 'Retry-After': '2' }),
        },
      },
      async client => {
        const statuses: number[] = []
        for (const target of ['/201', '/204', '/302', '/304', '/404', '/503']) {
          statuses.push((await client.send({ target })).status)
        }
        expect(statuses).toEqual([201, 204, 302, 304, 404, 503])
        expect((await client.send({ target: '/201' })).headers.location).toBe('/x?y=%20')
        expect((await client.send({ target: '/302' })).headers.location).toBe('https://pay.example.com/a//b')
        expect((await client.send({ target: '/404' })).text).toBe('{"message":"ours"}')
        expect((await client.send({ target: '/503' })).headers['retry-after']).toBe('2')
        for (const target of ['/204', '/304']) {
          const { headers, body, reused } = await client.send({ target })
          expect([headers['content-length'], body.length, reused]).toEqual([undefined, 0, true])
        }
      },
    ))
}
