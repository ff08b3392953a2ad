import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from '@tillkit/storage'
import { beforeEach, expect, test } from 'vitest'
import { attempt, merchantId, NOW, openShop } from '../faults/shop.ts'
import { besideAnother } from './beside-another.ts'

const LOCK_WAIT = 1

const at = besideAnother({ lockWaitSeconds: LOCK_WAIT })

beforeEach(async () => {
  await openShop(at.storage)
  at.other.exec('begin immediate')
})

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    error => (error instanceof DatabaseError ? error.message : error),
  )
const held = /^another process has held the lock of .* for 1 seconds$/

/** How many lock waits, one after another, it takes until all have ended. */
async function waitsUntilAllEnd(calls: Promise<unknown>[]): Promise<number> {
  const begun = performance.now()
  for (const ended of await Promise.all(calls.map(refusal))) expect(ended).toMatch(held)
  return (performance.now() - begun) / (LOCK_WAIT * 1000)
}

test('of many writes none waits for the lock longer than one, whoever looks at the file beside them', async () => {
  const starts = Array.from({ length: 1000 }, () => at.storage.payments.start(attempt(), NOW))
  await sleep(LOCK_WAIT * 250)
  const looked = at.storage.inspect?.({ now: NOW, longTransactionSeconds: 60, webhookKeyPrefixes: [] })
  expect(await waitsUntilAllEnd(starts)).toBeLessThan(6)
  await looked
})

test('nobody is told that the lock was held while this process did something else', async () => {
  expect(await refusal(at.storage.payments.start(attempt(), NOW))).toMatch(held)
  const start = at.storage.payments.start(attempt(), NOW)
  const begun = performance.now()
  while (performance.now() - begun < LOCK_WAIT * 1500);
  setTimeout(() => at.other.exec('rollback'), LOCK_WAIT * 50)
  expect((await start).payment.id).toBe(1)
})

test('of many transactions none waits for the lock longer than one', async () => {
  const transactions = Array.from({ length: 20 }, () => at.storage.transaction(async () => {}))
  expect(await waitsUntilAllEnd(transactions)).toBeLessThan(18)
})

test('a write that came later has its own time, and is done where the lock is let go of in it', async () => {
  const early = refusal(at.storage.payments.start(attempt({ merchantReference: 'early' }), NOW))
  await sleep(LOCK_WAIT * 600)
  const late = at.storage.payments.start(attempt({ merchantReference: 'late' }), NOW)
  expect(await early).toMatch(held)
  at.other.exec('rollback')
  expect((await late).payment).toMatchObject({ id: 1, merchantReference: 'late' })
})

test('what has waited for a long transaction of the storage itself has its time for the lock all the same', async () => {
  at.other.exec('rollback')
  const { promise, resolve } = Promise.withResolvers<void>()
  const long = at.storage.transaction(async () => {
    await promise
  })
  await sleep(50)
  const start = at.storage.payments.start(attempt(), NOW)
  await sleep(LOCK_WAIT * 1500)
  resolve()
  await long
  at.other.exec('begin immediate')
  await sleep(50)
  at.other.exec('rollback')
  expect((await start).payment.merchantId).toBe(merchantId)
})

test('who has nothing to migrate needs no lock, and who has is told who holds it', async () => {
  await at.storage.migrate()
  at.other.exec(`delete from tillkit_migrations where name like '0010%'; commit; begin immediate`)
  expect(await refusal(at.storage.migrate())).toMatch(held)
  at.other.exec('rollback')
  await at.storage.migrate()
  expect(await at.storage.migrated?.()).toBe(true)
})
