import { once } from 'node:events'
import { createTill, type Imported, type StatementRow } from '@tillkit/till'
import { describe, expect, test } from 'vitest'
import { ENGINES, openStorage, type Place } from '../webhooks/processes/place.ts'
import { importingProcess, type Orders } from './processes/importing.ts'
import { settledAs } from './scene.ts'

const MERCHANTS = ['m-1', 'm-2', 'm-3']
const PAYMENTS = 30

/** Three merchants' payments, all completed but the last of each, which is pending. */
async function shops(place: Place) {
  const storage = openStorage(place)
  await storage.migrate()
  const till = createTill({ storage, logger: false })
  for (const id of MERCHANTS) {
    await till.merchants.create({ id, name: 'Shop' })
    await till.scanCodes.create(id, { code: id })
    for (let n = 1; n <= PAYMENTS; n++) {
      const payment = await till.payments.start({ scanCode: id, totalAmount: n })
      if (n < PAYMENTS) await till.payments.complete(payment)
    }
  }
  return { storage, till }
}

const ROWS: StatementRow[] = Array.from({ length: MERCHANTS.length * PAYMENTS }, (_, n) => {
  const id = Math.floor(n / MERCHANTS.length) + 1
  return { merchantId: MERCHANTS[n % MERCHANTS.length] ?? '', paymentId: id, amount: id, fee: 2 }
})

const COUNT = MERCHANTS.length * (PAYMENTS - 1)
const TOTALS = {
  ...{ rows: ROWS.length, differences: MERCHANTS.length, merchants: MERCHANTS.length },
  ...{ count: COUNT, amount: (MERCHANTS.length * (PAYMENTS - 1) * PAYMENTS) / 2, fees: 2 * COUNT },
}

/** What a process sent; null where it was killed. */
async function outcome(orders: Orders): Promise<Imported | null> {
  const child = importingProcess(orders)
  let imported: Imported | null = null
  child.on('message', message => {
    imported = message as Imported
  })
  await once(child, 'exit')
  return imported
}

describe.each(ENGINES)('over $name', ({ unavailable, create }) => {
  const needsEngine = test.skipIf(unavailable !== undefined && process.env.CI !== 'true')
  const all = [...Array.from({ length: PAYMENTS - 1 }, () => 'S-1'), null]

  needsEngine(
    'killed at any step and run again it ends as if it had run once',
    { timeout: 600_000 },
    async () => {
      for (const when of ['before', 'after'] as const) {
        const { place, drop } = await create()
        const { till, storage } = await shops(place)
        expect(await outcome({ place, rows: ROWS, dieAt: { step: 2, when } })).toBe(null)
        const half = await till.settlements.get('S-1')
        expect(half).toMatchObject({ finishedAt: null, rows: null })

        const again = await outcome({ place, rows: ROWS })
        expect(again?.settled).toBe(COUNT - (half?.count ?? 0))
        expect(again?.already).toBe(half?.count)
        expect(await till.settlements.get('S-1')).toMatchObject(TOTALS)
        for (const id of MERCHANTS) expect(await settledAs(till, id)).toEqual(all)
        await till.close()
        await storage.close()
        await drop()
      }
    },
  )

  needsEngine('two at once end as one', { timeout: 600_000 }, async () => {
    const { place, drop } = await create()
    const { till, storage } = await shops(place)
    const both = await Promise.all([
      outcome({ place, rows: ROWS }),
      outcome({ place, rows: ROWS.toReversed() }),
    ])
    expect(both.reduce((sum, one) => sum + (one?.settled ?? 0), 0)).toBe(COUNT)
    for (const one of both) expect((one?.settled ?? 0) + (one?.already ?? 0)).toBe(COUNT)
    expect(await till.settlements.get('S-1')).toMatchObject(TOTALS)
    for (const id of MERCHANTS) expect(await settledAs(till, id)).toEqual(all)
    await till.close()
    await storage.close()
    await drop()
  })
})
