import type { ClaimedDelivery, Storage } from '@tillkit/storage'

/** A step of payments' lives, done for each merchant once. */
export interface Step {
  name: string
  work(merchants: string[]): Promise<void>
}

/**
 * From the start to the written result of the delivery, one after the other. Deliveries are the worker's of the process that
 * records the outcome; or `byClaim`, as where the workers are other processes.
 */
export function stepsOf(storage: Storage, { byClaim }: { byClaim: boolean }): Step[] {
  const started: { merchantId: string; id: number }[] = []
  const claimed: ClaimedDelivery[] = []
  const claim: Step = {
    name: 'claim',
    async work() {
      for (;;) {
        const some = await storage.deliveries.claim({ now: null, leaseUntil: leaseUntil(), limit: 100 })
        if (some.length === 0) return
        claimed.push(...some)
      }
    },
  }
  return [
    {
      name: 'start',
      async work(merchants) {
        for (const merchantId of merchants) {
          const { payment } = await storage.payments.start(attemptOf(merchantId), null)
          started.push(payment)
        }
      },
    },
    {
      name: 'outcome with its delivery',
      async work() {
        for (const { merchantId, id } of started.splice(0)) {
          const lease = byClaim ? null : leaseUntil()
          const resolved = await storage.payments.resolve({ merchantId, id }, COMPLETED, null, null, lease)
          if (resolved?.claimed) claimed.push(resolved.claimed)
          else if (!byClaim) throw new Error('a delivery was not handed over')
        }
      },
    },
    ...(byClaim ? [claim] : []),
    {
      name: 'record',
      async work() {
        for (const { merchantId, paymentId, fence } of claimed.splice(0)) {
          const at = new Date().toISOString()
          const attempt = { at, status: 200, milliseconds: 12, error: null, answer: 'ok' }
          const result = {
            merchantId,
            paymentId,
            fence,
            state: 'delivered',
            nextAttemptAt: null,
            attempt,
          } as const
          if (!(await storage.deliveries.record(result))) throw new Error('a lease was lost')
        }
      },
    },
  ]
}

export const COMPLETED = { status: 'completed' } as const

function leaseUntil(): string {
  return new Date(Date.now() + 60_000).toISOString()
}

export function attemptOf(merchantId: string) {
  return {
    merchantId,
    totalAmount: 1250,
    tipAmount: 0,
    scanCode: `${merchantId}-1`,
    scanCodeReference: 'Counter 1',
    userReference: `user-${Math.floor(Math.random() * 17)}`,
    isVoucher: false,
    isVoucherRedemption: false,
    requiredAmount: 1250,
    merchantReference: `order-${Math.floor(Math.random() * 1_000_000)}`,
    authCode: '123456',
    deviceSerialNumber: null,
    strict: false,
    extra: { waiter: 'Ann' },
    attemptKey: null,
  }
}
