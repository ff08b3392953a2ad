import { type OwnServer, ownMariadb, ownPostgres } from '@tillkit/servers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { byHand, type Contender, tillkit } from '../src/contender.ts'
import { OPEN, type Opened } from '../src/open.ts'
import { scenariosOf } from '../src/scenarios.ts'

const ROWS = 3000
const HEADERS = [
  'content-type',
  'x-total',
  'x-total-pages',
  'x-page',
  'x-per-page',
  'x-next-page',
  'x-offset',
]

const SERVERS: Record<keyof typeof OPEN, (() => Promise<OwnServer>) | null> = {
  sqlite: null,
  postgres: ownPostgres,
  mysql: ownMariadb,
}

/** Who answers something else, or less, is no floor. */
describe.each(Object.keys(OPEN) as (keyof typeof OPEN)[])('by hand on %s', engine => {
  let server: OwnServer | undefined
  let opened: Opened | undefined
  let contenders: Contender[] = []
  let why: unknown

  beforeAll(async () => {
    try {
      server = await SERVERS[engine]?.()
    } catch (error) {
      why = error
      return
    }
    opened = await OPEN[engine](ROWS, server?.url ?? '')
    contenders = [await byHand(opened.place), await tillkit(opened.place, 'node', 'source')]
  }, 300_000)

  afterAll(async () => {
    for (const contender of contenders) await contender.stop()
    await opened?.close()
    await server?.remove()
  })

  const database = (context: { skip(note: string): never }): Opened => {
    if (opened) return opened
    if (process.env.CI === 'true') throw why
    return context.skip(`${engine} cannot be started here: ${why}`)
  }

  test('every scenario is answered as the API answers it', { timeout: 120_000 }, async context => {
    const { big, small } = database(context)
    for (const { name, once } of scenariosOf(ROWS, big, small)) {
      const asked: { shop: typeof big; method: string; path: string }[] = []
      await once(async (shop, method, path) => {
        asked.push({ shop, method, path })
        return '{"id":1}'
      })
      for (const { shop, method, path } of asked) {
        if (method !== 'GET') continue
        const headers = { authorization: `Basic ${Buffer.from(`${shop.apiKey}:`).toString('base64')}` }
        const [theirs, ours] = await Promise.all(
          contenders.map(async ({ origin }) => {
            const response = await fetch(`${origin}${path}`, { headers })
            return [
              response.status,
              HEADERS.map(header => response.headers.get(header)),
              await response.json(),
            ]
          }),
        )
        expect(theirs, `${name}: ${path}`).toEqual(ours)
      }
    }
  })

  test('payments are started and completed', { timeout: 120_000 }, async context => {
    const { small } = database(context)
    for (const [n, { origin }] of contenders.entries()) {
      const { apiKey, scanCode } = small[n] as Opened['big']
      const headers = { authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}` }
      const post = async (path: string, body: object) =>
        (await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
      const order = { scanCode, totalAmount: 4200, merchantReference: 'order-1', requiredAmount: 4200 }
      const { id } = (await post('/v1/payments', order)) as { id: number }
      expect(id).toBe(501)
      await post(`/v1/payments/${id}/complete`, {})
      const shown = await fetch(`${contenders[1]?.origin}/v1/payments/${id}`, { headers })
      expect(await shown.json()).toMatchObject({
        id,
        status: 'completed',
        merchantReference: 'order-1',
        totalAmount: 4200,
      })
    }
  })
})
