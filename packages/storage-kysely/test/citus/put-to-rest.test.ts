import { expect, test } from 'vitest'
import { askCitus, createOnCitus } from '../engines/citus.ts'
import { overCitus } from '../engines/over-citus.ts'

const [now, leaseUntil] = ['2026-12-01T00:00:00.000Z', '2026-12-01T00:01:00.000Z']
const [BACKLOG, LIMIT] = [4096, 64]

overCitus(() => {
  test('the backlog of a paused endpoint keeps no other merchant waiting until all of it rests', async () => {
    const { storage, schema, drop } = await createOnCitus()
    const fill = (merchantId: string, since: string, count: number) =>
      askCitus(`insert into "${schema}".tillkit_deliveries
        (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
        select '${merchantId}', n, 'pending', 0, 0, '${since}', '${since}' from generate_series(1, ${count}) as s(n)`)
    await fill('paused', '2026-11-20T00:00:00Z', BACKLOG)
    await fill('shop', '2026-11-25T00:00:00Z', LIMIT)
    await askCitus(`insert into "${schema}".tillkit_failing_endpoints (merchant_id, failing_since, paused_at)
      values ('paused', '2026-11-25', '2026-11-25')`)
    const { deliveries } = storage
    const claimed = await deliveries.claim({ now, leaseUntil, limit: LIMIT })
    expect(claimed.map(({ merchantId }) => merchantId)).toEqual(Array.from({ length: LIMIT }, () => 'shop'))
    const left = async () => (await deliveries.counts(now)).due
    expect(await left()).toBeGreaterThan(BACKLOG / 4)
    while ((await left()) > 0) expect(await deliveries.claim({ now, leaseUntil, limit: LIMIT })).toEqual([])
    await drop()
  })
})
