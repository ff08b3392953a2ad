import type { Checks } from '../capability.ts'
import { echo, named } from '../handlers.ts'

/** Prefixes, several mounts, and the host's own routes beside them. */
export function mounting({ test, expect, adapter, serving }: Checks): void {
  for (const prefix of ['/', '/v1', '/payments/api/v1', '/a.b~c-d_e']) {
    test(`a handler mounted at ${prefix} gets what is below`, () =>
      serving({ mounts: { [prefix]: echo } }, async client => {
        const base = prefix === '/' ? '' : prefix
        for (const path of ['/', '/x', '/x/y/', base === '' ? '/' : `${base}/x`]) {
          const { text } = await client.send({ target: `${base}${path}?q` })
          expect(JSON.parse(text).path).toBe(path)
        }
      }))
  }

  test('several are mounted side by side', () =>
    serving(
      { mounts: { '/v1/cards': named('cards'), '/v1': named('v1'), '/qr': named('qr') } },
      async client => {
        const at = async (target: string) => JSON.parse((await client.send({ target })).text)
        expect(await at('/v1/cards/1')).toEqual({ name: 'cards', path: '/1' })
        expect(await at('/v1/cards')).toEqual({ name: 'cards', path: '/' })
        expect(await at('/v1/cardsx')).toEqual({ name: 'v1', path: '/cardsx' })
        expect(await at('/v1')).toEqual({ name: 'v1', path: '/' })
        expect(await at('/qr/a.svg')).toEqual({ name: 'qr', path: '/a.svg' })
      },
    ))

  test('one handler can be mounted twice', () =>
    serving({ mounts: { '/v1': echo, '/v2': echo } }, async client => {
      for (const target of ['/v1/x', '/v2/x']) {
        expect(JSON.parse((await client.send({ target })).text).path).toBe('/x')
      }
    }))

  test('paths beside a mount are none of its business', () => {
    let calls = 0
    const counting: typeof echo = request => {
      calls += 1
      return echo(request)
    }
    return serving({ mounts: { '/v1': counting } }, async client => {
      for (const target of ['/', '/v', '/v10', '/v1x/y', '/x/v1']) {
        expect({ target, status: (await client.send({ target })).status }).toEqual({ target, status: 404 })
      }
      expect(calls).toBe(0)
    })
  })

  for (const prefix of ['/', '/v1']) {
    test(`the host’s own routes and error handler beside ${prefix} stay what they are`, () =>
      serving({ mounts: { [prefix]: echo } }, async client => {
        const get = await client.send({ target: '/host' })
        expect([get.status, get.text]).toEqual([200, 'the host'])
        const headers = { 'Content-Type': 'application/json' }
        const post = await client.send({ method: 'POST', target: '/host', headers, body: '{ "a": [1] }' })
        expect([post.status, post.text]).toEqual([200, '{"a":[1]}'])
        if (adapter.errors === 'masked') return
        const thrown = await client.send({ target: '/host/throws' })
        expect([thrown.status, thrown.text]).toEqual([500, 'host: thrown by the host'])
      }))
  }
}
