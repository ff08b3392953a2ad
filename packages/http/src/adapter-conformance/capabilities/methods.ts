import type { HttpHandler } from '../../handler.ts'
import type { Checks } from '../capability.ts'
import { echo } from '../handlers.ts'

/** Answers as `merchantApi` does: to `HEAD` with the length and no body. */
const sized: HttpHandler = async ({ method }) => ({
  status: 200,
  headers: { 'Content-Type': 'text/plain', 'Content-Length': '5' },
  body: method === 'HEAD' ? null : 'sized',
})

export function methods({ test, expect, serving }: Checks): void {
  test('every method reaches the handler', () =>
    serving({ mounts: { '/v1': echo } }, async client => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        for (const target of ['/v1', '/v1/x']) {
          const { status, text } = await client.send({ method, target })
          expect([status, JSON.parse(text).method]).toEqual([200, method])
        }
      }
    }))

  test('OPTIONS and HEAD reach it at the root as well', () =>
    serving(
      { mounts: { '/': async ({ method }) => ({ status: 200, headers: { Method: method }, body: null }) } },
      async client => {
        for (const method of ['OPTIONS', 'HEAD']) {
          const { status, headers } = await client.send({ method, target: '/x' })
          expect([status, headers.method]).toEqual([200, method])
        }
      },
    ))

  test('HEAD has the length of GET and nothing after it, and the connection goes on', () =>
    serving({ mounts: { '/v1': sized } }, async client => {
      for (const _ of [1, 2]) {
        const head = await client.send({ method: 'HEAD', target: '/v1' })
        expect([head.status, head.headers['content-length'], head.text]).toEqual([200, '5', ''])
        const get = await client.send({ target: '/v1' })
        expect([get.headers['content-length'], get.text, get.reused]).toEqual(['5', 'sized', true])
      }
    }))
}
