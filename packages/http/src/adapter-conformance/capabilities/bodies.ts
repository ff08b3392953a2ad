import { MAX_BODY_BYTES } from '../../body/body-limits.ts'
import type { Checks } from '../capability.ts'
import { bodyEcho, echo } from '../handlers.ts'

/** Types that framework's own parsers know, refuse, or stumble over; the last is no type at all. */
const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain; charset=nonsense',
  'multipart/form-data',
  'application/octet-stream',
  'nonsense',
  '/',
  ';',
  '',
  undefined,
]

const TEN_MIB = 10 * 1024 * 1024

/** Bodies of requests. */
export function bodies({ test, expect, serving, tls }: Checks): void {
  const typed = (type: string | undefined): Record<string, string> =>
    type === undefined ? {} : { 'Content-Type': type }

  test('a body is read where a handler asks for it, whatever its type says', () =>
    serving({ mounts: { '/v1': bodyEcho } }, async client => {
      const body = Uint8Array.from({ length: 1000 }, (_, i) => i & 0xff)
      for (const type of TYPES) {
        for (const chunked of [false, true]) {
          const headers = { ...typed(type), ...(chunked && { 'Transfer-Encoding': 'chunked' }) }
          const got = await client.send({ method: 'POST', target: '/v1/x', headers, body })
          expect([type, got.status, Buffer.compare(got.body, body)]).toEqual([type, 200, 0])
        }
      }
    }))

  test('a body that nobody reads is let go by, whatever its type says, and the connection goes on', () =>
    serving({ mounts: { '/v1': echo } }, async client => {
      const first = await client.send({ target: '/v1' })
      expect(first.reused).toBe(false)
      for (const type of TYPES) {
        const got = await client.send({ method: 'POST', target: '/v1/x', headers: typed(type), body: '{"a' })
        expect([type, got.status, got.reused]).toEqual([type, 200, true])
      }
    }))

  for (const over of [undefined, tls]) {
    test(`10 MiB that nobody reads over ${over ? 'TLS' : 'plain HTTP'}, and the connection goes on`, () =>
      serving({ mounts: { '/v1': echo }, tls: over }, async client => {
        for (const [index, type] of TYPES.slice(0, 4).entries()) {
          const body = new Uint8Array(TEN_MIB)
          const headers = { ...typed(type), ...(index % 2 === 1 && { 'Transfer-Encoding': 'chunked' }) }
          const got = await client.send({ method: 'POST', target: '/v1', headers, body })
          expect([got.status, got.reused]).toEqual([200, index > 0])
        }
      }))
  }

  test('a body is at most so large', () =>
    serving({ mounts: { '/v1': bodyEcho } }, async client => {
      const post = async (size: number) => {
        const body = new Uint8Array(size)
        const got = await client.send({ method: 'POST', target: '/v1', headers: typed('text/plain'), body })
        return got.status === 200 ? got.body.length : got.text
      }
      expect(await post(MAX_BODY_BYTES)).toBe(MAX_BODY_BYTES)
      expect(await post(MAX_BODY_BYTES + 1)).toBe('{"code":"invalid_input"}')
      expect(await post(TEN_MIB)).toBe('{"code":"invalid_input"}')
      expect(await post(3)).toBe(3)
    }))

  test('no body is an empty one', () =>
    serving({ mounts: { '/v1': bodyEcho } }, async client => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { status, body } = await client.send({ method, target: '/v1' })
        expect([method, status, body.length]).toEqual([method, 200, 0])
      }
    }))
}
