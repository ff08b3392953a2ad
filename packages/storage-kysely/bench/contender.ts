import type { Storage } from '@tillkit/storage'

/** What is measured of a store. Results are counted, so that nothing is left out. */
export interface Contender {
  byId(id: number): Promise<number>
  page(skip: number): Promise<number>
  completed(skip: number): Promise<number>
  start(merchantId: string): Promise<number>
  complete(merchantId: string, id: number): Promise<number>
}

const PAGE = 50

/** A store by its port; reads are of one merchant. */
export function contenderOf(storage: Storage, merchantId: string): Contender {
  const list = async (filter: Parameters<Storage['payments']['list']>[1], skip: number) =>
    (await storage.payments.list(merchantId, filter, { skip, limit: PAGE })).items.length
  return {
    byId: async id => ((await storage.payments.get({ merchantId, id })) ? 1 : 0),
    page: skip => list({}, skip),
    completed: skip => list({ status: ['completed'] }, skip),
    start: async owner =>
      (await storage.payments.start(attemptOf(owner), new Date().toISOString())).payment.id,
    async complete(owner, id) {
      const key = { merchantId: owner, id }
      await storage.payments.resolve(key, { status: 'completed' }, new Date().toISOString())
      return 1
    },
  }
}

function attemptOf(merchantId: string) {
  return {
    merchantId,
    totalAmount: 1250,
    tipAmount: 0,
    scanCode: 'till-1',
    scanCodeReference: 'Counter 1',
    userReference: 'user-1',
    isVoucher: false,
    isVoucherRedemption: false,
    requiredAmount: 1250,
    merchantReference: 'order-1',
    authCode: '123456',
    deviceSerialNumber: null,
    strict: false,
    extra: { waiter: 'Ann' },
    attemptKey: null,
  }
}
