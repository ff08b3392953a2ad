import type { Checks } from '../capability.ts'
import { bodyEcho, echo } from '../handlers.ts'

const BODIES: [type: string, body: string][] = [
  ['application/json', '{ "a": 1 }'],
  ['application/x-www-form-urlencoded', 'payload=%7B%7D'],
  ['text/plain', 'Grüße'],
  ['application/octet-stream', '\0\x01'],
  ['application/json', ''],
]

/** A host that parses every body before the mounts. */
export function parsedBodies({ test, expect, serving }: Checks): void {
  const mounts = { '/v1': echo, '/body': bodyEcho }

  test('a handler that does not read is not in its way', () =>
    serving({ mounts, parsesBodies: true }, async client => {
      for (const [type, body] of BODIES) {
        const got = await client.send({
          method: 'POST',
          target: '/v1',
          headers: { 'Content-Type': type },
          body,
        })
        expect([type, got.status]).toEqual([type, 200])
      }
    }))

  test('a handler that reads gets the very bytes, or to know that they are gone, and does not wait', () =>
    serving({ mounts, parsesBodies: true }, async client => {
      for (const [type, body] of BODIES) {
        const got = await client.send({
          method: 'POST',
          target: '/body',
          headers: { 'Content-Type': type },
          body,
        })
        const allowed = got.status === 200 ? got.text === body : got.text === '{"code":null}'
        expect([type, got.text, allowed]).toEqual([type, got.text, true])
      }
    }))

  test('the connection goes on', () =>
    serving({ mounts, parsesBodies: true }, async client => {
      const headers = { 'Content-Type': 'application/json' }
      for (const index of [0, 1, 2]) {
        const got = await client.send({ method: 'POST', target: '/v1', headers, body: '[]' })
        expect([got.status, got.reused]).toEqual([200, index > 0])
      }
    }))
}
