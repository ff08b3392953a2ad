import { setTimeout as sleep } from 'node:timers/promises'
import { connectionChannel, statementChannel, turnChannel } from '@tillkit/storage/channels'
import type { Shop } from './shop.ts'

/** Does of everything that is measured a little. What only a server of a database does is told of as one does. */
export async function everything({ till, get, answers, merchantId }: Shop): Promise<void> {
  const start = (totalAmount: number, more: object = {}) =>
    till.payments.start({ scanCode: 'counter-4711', totalAmount, ...more })
  await till.payments.complete(await start(1250, { merchantReference: 'order-4711' }))
  await till.webhooks.deliverDue()
  const twice = await start(4711)
  await till.payments.complete(twice)
  await till.payments.complete(twice)
  answers.push(503)
  await till.webhooks.deliverDue()
  await till.payments.fail(await start(1), { failure: 'a whim of the processor' })
  await start(1, { strict: true, requiredAmount: 100, merchantReference: 'order-4712' })
  answers.push(410)
  await till.webhooks.deliverDue()
  await start(2)
  await sleep(1100)
  await till.payments.failStale({ olderThanSeconds: 1 })
  await start(3)
  await till.payments.start({ scanCode: 'nobodys', totalAmount: 1 }).catch(() => {})

  const { reference } = await till.cashUps.create(merchantId)
  for (const path of [
    '/v1/payments',
    `/v1/payments/cash_ups/${reference}`,
    '/v1/payments/1',
    '/v1/payments/4711',
    '/v1/whim-4711',
    '/v1/cash_ups',
  ]) {
    await (await get(path)).text()
  }
  for (const path of ['/qr/counter-4711', '/qr/counter-4711.svg', '/qr/nobodys-4711'])
    await (await get(path)).text()

  const pool = { name: 'tillkit', system: 'postgresql', max: 10, used: 2, idle: 3, pending: 1 }
  const lost = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:4711'), { code: 'ECONNREFUSED' })
  const refused = () => Promise.reject(lost)
  await connectionChannel.tracePromise(async () => 'a connection', { pool })
  await connectionChannel.tracePromise(refused, { pool }).catch(() => {})
  await statementChannel.tracePromise(refused, { system: 'postgresql', name: 'COMMIT' }).catch(() => {})
  for (const locks of ['merchant', 'rows'] as const) {
    await turnChannel.tracePromise(async () => 'its turn', { merchantId, locks })
    await turnChannel.tracePromise(refused, { merchantId, locks }).catch(() => {})
  }
  // A pool that nobody keeps is forgotten.
  pools.push(pool)
}

const pools: object[] = []
