import type { ClaimedDelivery, Storage } from '@tillkit/storage'

/** A step of payments' lives, done for each merchant once. */
export interface Step {
  name: string
  work(merchants: string[]): Promise<void>
}

/** From the start to the written result of the delivery, one after the other. */
export function stepsOf(storage: Storage): Step[] {
  const started: { merchantId: string; id: number }[] = []
  const claimed: ClaimedDelivery[] = []
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
          await storage.payments.resolve({ merchantId, id }, { status: 'completed' }, null)
        }
      },
    },
    {
      name: 'claim',
      async work() {
        for (;;) {
          const leaseUntil = new Date(Date.now() + 60_000).toISOString()
          const some = await storage.deliveries.claim({ now: null, leaseUntil, limit: 100 })
          if (some.length === 0) return
          claimed.push(...some)
        }
      },
    },
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

function attemptOf(merchantId: string) {
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
