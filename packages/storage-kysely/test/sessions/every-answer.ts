import { randomBytes } from 'node:crypto'
import type { Storage } from '@tillkit/storage'
import { ALL, attempt, NOW } from '../faults/shop.ts'

const LEASE = '2026-11-20T10:30:00.000Z'
const LATER = '2026-11-20T11:30:00.000Z'

/** What a storage answers of a merchant's life, with each place where a row has a number, a date or a flag. */
export async function everyAnswer(storage: Storage): Promise<unknown> {
  const id = randomBytes(8).toString('hex')
  const [code, other] = [`${id}-1`, `${id}-2`]
  const answers: unknown[] = []
  const tell = async (answer: unknown) => void answers.push(await answer)
  const start = (fields: Parameters<typeof attempt>[0]) =>
    storage.payments.start(attempt({ merchantId: id, scanCode: code, ...fields }), NOW)
  const claim = async () => {
    const request = { now: NOW, leaseUntil: LEASE, limit: 10, onlyMerchant: id }
    // In no order of their own.
    return (await storage.deliveries.claim(request)).sort((a, b) => a.paymentId - b.paymentId)
  }

  const features = { tips: false, userReferences: true, deviceLists: false }
  const merchant = { id, name: 'Shop', webhookUrl: 'https://shop.example/hook', features, createdAt: NOW }
  await storage.merchants.create(merchant)
  await tell(storage.merchants.get(id))
  await tell(storage.merchants.update(id, { features: { tips: true } }, NOW))
  for (const one of [code, other]) {
    await storage.scanCodes.add({ code: one, merchantId: id, reference: null, createdAt: NOW })
  }
  await tell(storage.scanCodes.suspend(other, NOW))
  await tell(storage.scanCodes.find(code))
  await tell(storage.scanCodes.list(id))
  await storage.apiKeys.add({ id: 'k', merchantId: id, label: null, createdAt: NOW, expiresAt: LATER }, id)
  await tell(storage.apiKeys.findMerchant(id, NOW))
  await tell(storage.apiKeys.list(id))

  const flags = { strict: true, isVoucher: true, merchantReference: 'once', attemptKey: 'a' }
  await tell(start(flags))
  await tell(start(flags))
  await tell(start({ tipAmount: 5, requiredAmount: 50, extra: { a: 'b' } }))
  await tell(start({ isVoucherRedemption: true }))
  await tell(start({}))
  await tell(start({ scanCode: other }).catch(error => error.message.replaceAll(id, '')))
  await tell(Promise.all([1, 2, 3, 4].map(n => start({ totalAmount: n }))).then(all => all.length))
  const resolve = (n: number, outcome: Parameters<Storage['payments']['resolve']>[1], lease?: string) =>
    storage.payments.resolve({ merchantId: id, id: n }, outcome, NOW, null, lease)
  await tell(resolve(1, { status: 'completed' }))
  await tell(resolve(2, { status: 'completed' }, LEASE))
  await tell(resolve(3, { status: 'error', failure: 'no' }))
  await tell(resolve(3, { status: 'completed' }))
  await tell(storage.payments.get({ merchantId: id, id: 1 }))
  await tell(storage.payments.findAttempt(id, 'a'))
  await tell(storage.payments.list(id, {}, ALL).then(({ total, items }) => [total, items.slice(4)]))
  await tell(storage.payments.list(id, { status: ['completed'] }, ALL))
  await tell(storage.payments.idRange(id, { startDate: '2026-11-19T00:00:00Z' }))
  await tell(storage.payments.walk(id, {}, { first: 1, last: 4 }, 10))
  const pending = await storage.payments.pendingSince({ date: '2026-12-20T00:00:00Z', limit: 1000 })
  await tell(pending.filter(one => one.merchantId === id && one.id <= 4))

  const [first, ...rest] = await claim()
  if (!first) throw new Error('nothing was due')
  await tell([first, rest.map(({ paymentId, fault }) => [paymentId, fault])])
  const failed = { at: NOW, status: 500, milliseconds: 5, error: 'no', answer: 'words' }
  const result = { ...first, state: 'pending' as const, nextAttemptAt: LEASE, attempt: failed, asked: true }
  await tell(storage.deliveries.record(result))
  await tell(storage.deliveries.record(result))
  await tell(storage.endpoints.get(id))
  await tell(storage.endpoints.pause(id, NOW, NOW))
  await tell(resolve(4, { status: 'completed' }))
  await tell(claim())
  await storage.endpoints.wake(id, LATER)
  for (const one of rest) {
    const attempt = { at: NOW, status: 200, milliseconds: 7, error: null, answer: null }
    await tell(
      storage.deliveries.record({ ...one, state: 'delivered', nextAttemptAt: null, attempt, asked: true }),
    )
  }
  await tell(storage.deliveries.requeueRange(id, { firstId: 1, lastId: 9, since: NOW }, NOW))
  const again = await claim()
  await tell(again.map(({ payment, fault, attempts }) => [payment, fault, attempts]))
  await storage.deliveries.release(again, LATER)
  await tell(storage.deliveries.list(id, undefined, ALL))
  await tell(storage.deliveries.attempts(id, [1, 2, 3, 4]))
  await tell(storage.deliveries.get({ merchantId: id, paymentId: 1 }))

  await storage.settlements.begin(id, NOW)
  await tell(storage.settlements.find(id, [{ id: 1 } as never], null))
  await tell(
    storage.settlements.settle(id, id, [
      { id: 1, fee: 2 },
      { id: 3, fee: 0 },
    ]),
  )
  await storage.settlements.finish(id, { rows: 2, differences: 1 }, NOW)
  await tell(storage.settlements.unsettled(id, 1, 4))
  await tell(storage.settlements.get(id, ALL))
  const cashUp = { reference: `${id}-cash-up`, idempotencyKey: 'c', now: LATER }
  await tell(storage.cashUps.create(id, cashUp))
  await tell(storage.cashUps.create(id, { ...cashUp, reference: 'another' }))
  for (let n = 5; n <= 8; n++) await resolve(n, { status: 'completed' })
  await tell(storage.cashUps.list(id, ALL))
  await tell(
    storage.cashUps.payments(id, cashUp.reference, ALL).then(page => page === 'not_ready' || page?.total),
  )
  await tell(storage.reports.period(id, null))
  await tell(storage.reports.period(id, cashUp.reference))
  await tell(storage.reports.takings(id, ['2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z']))
  await tell(storage.merchants.suspend(id, LATER))
  await tell(start({}).catch(error => error.message.replaceAll(id, '')))
  await tell(storage.merchants.resume(id))
  await tell(storage.time?.().then(time => time instanceof Date))
  await tell(storage.migrated?.())
  if (storage.inspect) {
    const asked = { now: NOW, longTransactionSeconds: 600, webhookKeyPrefixes: [] }
    const { findings } = await storage.inspect(asked)
    // What others are at on the server differs from one moment to the next.
    const lasting = findings.filter(({ check }) => !['connections', 'locks'].includes(check))
    await tell(lasting.map(({ check, level }) => `${check} ${level}`).sort())
  }

  const text = (name: string, value: unknown) =>
    name === 'fence' ? 'any' : typeof value === 'bigint' ? `${value}n` : value
  return JSON.parse(JSON.stringify(answers, text).replaceAll(id, 'shop'))
}
