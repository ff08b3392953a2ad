import { TillError } from '@tillkit/domain'
import type { HttpHandler } from '../../handler.ts'
import type { Checks } from '../capability.ts'
import { echo } from '../handlers.ts'

const THROWING: [what: string, handler: HttpHandler][] = [
  ['rejects', () => Promise.reject(new Error('hunter2'))],
  [
    'throws',
    () => {
      throw new Error('hunter2')
    },
  ],
  ['rejects with a TillError', () => Promise.reject(new TillError('not_found', 'hunter2'))],
]

const BROKEN: [what: string, handler: HttpHandler][] = [
  ['rejects with nothing', () => Promise.reject(undefined)],
  ['answers nothing', async () => undefined as never],
  ['answers a status that is none', async () => ({ status: 99, headers: {}, body: 'x' })],
  ['answers a header that is none', async () => ({ status: 200, headers: { 'X-A': 'a\r\nb' }, body: 'x' })],
]

/** Handlers of the host's own that fail; those of this package never do. */
export function errors({ test, expect, adapter, serving }: Checks): void {
  for (const [what, handler] of THROWING) {
    const whose = adapter.errors === 'host' ? 'the host’s own error' : 'a masked error'
    test(`a handler that ${what} is ${whose}`, () =>
      serving({ mounts: { '/v1': handler } }, async client => {
        const { status, text } = await client.send({ target: '/v1/x' })
        const body =
          adapter.errors === 'host'
            ? 'host: hunter2'
            : '{"message":"Internal server error","code":"internal"}'
        expect([status, text]).toEqual([500, body])
      }))
  }

  test('a handler that breaks its contract is a 500, and the server goes on', async () => {
    for (const [what, handler] of BROKEN) {
      await serving({ mounts: { '/v1': handler, '/v2': echo } }, async client => {
        const { status } = await client.send({ target: '/v1/x' })
        expect([what, status]).toEqual([what, 500])
        expect((await client.send({ target: '/v2' })).status).toBe(200)
      })
    }
  })

  test('an error leaves the connection to the next request, body and all', () =>
    serving({ mounts: { '/v1': () => Promise.reject(new Error('hunter2')), '/v2': echo } }, async client => {
      const body = new Uint8Array(100_000)
      expect((await client.send({ method: 'POST', target: '/v1', body })).status).toBe(500)
      expect((await client.send({ target: '/v2' })).status).toBe(200)
    }))
}
