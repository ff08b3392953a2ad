import { setTimeout as sleep } from 'node:timers/promises'
import type { Payment, Till } from '@tillkit/till'
import { pick, whole } from './chance.ts'
import { CONFIRM_FROM } from './processor.ts'
import { SHOPS } from './shops.ts'

/** Customers who keep paying until they are stopped. */
export interface Shoppers {
  /** Ends the shopping; what has no outcome by then stays pending and is taken up at the next start. */
  stop(): Promise<void>
}

/**
 * Makes a payment every `pace` seconds or so. Most complete at once, some fail, some stay pending for a while. Payments
 * that an earlier run left pending get their outcome too.
 */
export function startShopping(till: Till, pace: number, tell: (payment: Payment) => void): Shoppers {
  const stopped = new AbortController()
  const underway = new Set<Promise<void>>()
  const seconds = (count: number) => sleep(count * pace * 250, undefined, { signal: stopped.signal })

  async function resolve(payment: Payment): Promise<void> {
    const [wait, outcome] = pick([
      [1, 'complete'],
      [1, 'complete'],
      [2, 'complete'],
      [2, 'fail'],
      [whole(10, 30), 'complete'],
    ] as const)
    await seconds(wait)
    tell(
      outcome === 'complete'
        ? await till.payments.complete(payment)
        : await till.payments.fail(payment, { failure: 'card_declined' }),
    )
  }

  async function shop(): Promise<void> {
    for (const { id } of SHOPS) {
      const { items } = await till.payments.list(id, { filter: { status: ['pending'] }, perPage: 100 })
      // What a customer is to confirm is the bank's to say.
      for (const payment of items) if (payment.totalAmount < CONFIRM_FROM) follow(resolve(payment))
    }
    for (let order = Math.floor(Date.now() / 1000); ; order++) {
      const payment = await till.payments.start(pick(SHOPS).order(order))
      tell(payment)
      if (payment.status === 'pending') follow(resolve(payment))
      await seconds(whole(3, 5))
    }
  }

  function follow(work: Promise<void>): void {
    const done = work
      .catch(error => {
        if (error.name !== 'AbortError') console.error(`a payment could not be made: ${error.message}`)
      })
      .finally(() => underway.delete(done))
    underway.add(done)
  }

  follow(shop())
  return {
    async stop() {
      stopped.abort()
      while (underway.size > 0) await Promise.all(underway)
    },
  }
}
