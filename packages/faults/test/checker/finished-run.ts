import { join } from 'node:path'
import { createTill, type Payment } from '@tillkit/till'
import { type Address, storageAt } from '../../src/engines/address.ts'
import type { Entry } from '../../src/journal/entry.ts'

/** A small run in which everything occurs and all is in order, with its journal written as the processes write theirs. */
export async function finishedRun(folder: string): Promise<{ address: Address; journal: Entry[] }> {
  const address = { engine: 'sqlite', file: join(folder, 'till.db') } as const
  const journal: Entry[] = []
  const storage = storageAt(address)
  await storage.migrate()
  const till = createTill({ storage })
  await till.merchants.create({ id: 'shop', name: 'Shop', webhookUrl: 'https://shop.example/hook' })
  await till.scanCodes.create('shop', { code: 'counter' })

  async function paid(n: number): Promise<void> {
    const attempt = `shop-1-${n}`
    const totalAmount = 99 + n
    journal.push({ what: 'asked', attempt, keyed: true, merchantId: 'shop', totalAmount })
    const started = await till.payments.startOnce({
      ...{ scanCode: 'counter', totalAmount, merchantReference: `order-${n}`, attemptKey: attempt },
      extra: { attempt },
    })
    journal.push({ what: 'started', attempt, ...started })
    const { payment } = started
    const key = { merchantId: 'shop', id: payment.id }
    const declined = n % 4 === 0
    journal.push({ what: declined ? 'declined' : 'charged', totalAmount, ...key })
    const resolved = declined
      ? await till.payments.fail(payment, { failure: 'declined' })
      : await till.payments.complete(payment)
    journal.push({ what: 'resolved', payment: resolved })
    await delivered(resolved)
  }

  async function delivered({ merchantId, id, status, totalAmount }: Payment): Promise<void> {
    const key = { merchantId, id }
    journal.push({ what: 'received', ...key, signed: true, status, totalAmount, answered: 200 })
    const now = new Date()
    const leaseUntil = new Date(now.getTime() + 60_000).toISOString()
    const [held] = await storage.deliveries.claim({ now: now.toISOString(), leaseUntil, limit: 1 })
    if (!held) throw new Error('nothing was claimed')
    const attempt = { at: now.toISOString(), status: 200, milliseconds: 5, error: null, answer: null }
    await storage.deliveries.record({ ...held, state: 'delivered', nextAttemptAt: null, attempt })
    journal.push({ what: 'result', delivered: true, number: 1, ...key })
  }

  async function cashedUp(idempotencyKey: string | null): Promise<void> {
    const cashUp = await till.cashUps.create('shop', { idempotencyKey })
    journal.push({ what: 'cashedUp', merchantId: 'shop', idempotencyKey, cashUp })
  }

  for (let n = 1; n <= 5; n++) await paid(n)
  await cashedUp('evening')
  for (let n = 6; n <= 10; n++) await paid(n)
  const settlement = { statementReference: 'BANK-1', paymentIds: [1, 2, 3] }
  await till.payments.settle('shop', settlement)
  journal.push({ what: 'settled', merchantId: 'shop', ...settlement })
  journal.push({ what: 'conflict', wanted: 'error', merchantId: 'shop', id: 1 })
  await cashedUp(null)
  await cashedUp(null)
  await till.close()
  await storage.close()
  return { address, journal }
}
