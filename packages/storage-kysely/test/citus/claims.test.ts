import { expect, onTestFinished, test, vi } from 'vitest'
import { claimsHistories } from '../deliveries/claims-histories.ts'
import { fillDue } from '../deliveries/due-in-bulk.ts'
import { changedAddress } from '../engines/address.ts'
import { createOnCitus } from '../engines/citus.ts'
import { openHeardHost } from '../engines/heard-host.ts'
import { overCitus } from '../engines/over-citus.ts'

const [now, leaseUntil] = ['2026-12-01T00:00:00.000Z', '2026-12-01T00:01:00.000Z']

/** With sessions in whose statements the tables need no schema. */
async function create() {
  const { address, schema, drop } = await createOnCitus()
  const inSchema = changedAddress(address, ({ searchParams }) =>
    searchParams.set('options', `${searchParams.get('options')} -c search_path="${schema}"`),
  )
  return { address: inSchema, drop }
}

overCitus(() => {
  claimsHistories(create)

  test('what is due for merchants who are left out is walked once in a while, and not by every claim', async () => {
    const { db, database, deliveries } = await openHeardHost({ create })
    await fillDue(db, database, 'crowd', '2026-11-20T00:00:00.000Z', 2)
    const request = { now, leaseUntil, limit: 8, exceptMerchants: ['crowd'] }
    const begun = performance.now()
    const time = vi.spyOn(performance, 'now').mockReturnValue(begun)
    onTestFinished(() => time.mockRestore())
    for (let n = 0; n < 3; n++) expect(await deliveries.claim(request)).toEqual([])
    // As what a transaction brings that took long to commit.
    await fillDue(db, database, 'shop', '2026-11-19T00:00:00.000Z', 0)
    expect(await deliveries.claim(request)).toEqual([])
    time.mockReturnValue(begun + 11_000)
    const held = await deliveries.claim(request)
    expect(held.map(({ merchantId }) => merchantId)).toEqual(Array(8).fill('shop'))
  })
})
