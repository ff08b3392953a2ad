import type { NewPayment } from '@tillkit/domain'
import type { DeliveryResult, Lease, Storage } from '@tillkit/storage'

export const merchantId = 'shop'
export const NOW = '2026-11-20T09:30:00.000Z'
export const ALL = { skip: 0, limit: 1000 }

export async function openShop(storage: Storage, id = merchantId): Promise<void> {
  await storage.merchants.create({
    id,
    name: 'Shop',
    webhookUrl: 'https://shop.example/hook',
    features: { tips: false, userReferences: false, deviceLists: false },
    createdAt: NOW,
  })
}

export function attempt(fields: Partial<NewPayment> = {}): NewPayment {
  return {
    merchantId,
    totalAmount: 100,
    tipAmount: null,
    scanCode: 'till-1',
    scanCodeReference: null,
    userReference: null,
    isVoucher: false,
    isVoucherRedemption: false,
    requiredAmount: null,
    merchantReference: null,
    authCode: null,
    deviceSerialNumber: null,
    strict: false,
    extra: {},
    attemptKey: null,
    ...fields,
  }
}

export async function startedCompleted(storage: Storage, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let n = 0; n < count; n++) {
    const { payment } = await storage.payments.start(attempt(), NOW)
    await storage.payments.resolve(payment, { status: 'completed' }, NOW)
    ids.push(payment.id)
  }
  return ids
}

/** What becomes of so many deliveries of the shop, each under its lease until `leaseUntil`: delivered, unless a test says otherwise. */
export async function openResults(
  storage: Storage,
  count: number,
  leaseUntil: string,
): Promise<DeliveryResult[]> {
  await startedCompleted(storage, count)
  const claimed = await storage.deliveries.claim({ now: NOW, leaseUntil, limit: count })
  if (claimed.length < count) throw new Error(`${claimed.length} of ${count} deliveries were due`)
  return claimed.map(deliveredUnder)
}

/** That a delivery has come, under its lease. */
export function deliveredUnder({ merchantId, paymentId, fence }: Lease): DeliveryResult {
  return {
    ...{ merchantId, paymentId, fence, state: 'delivered', nextAttemptAt: null },
    attempt: { at: NOW, status: 200, milliseconds: 1, error: null, answer: null },
  }
}
