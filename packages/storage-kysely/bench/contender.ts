import type { Storage } from '@tillkit/storage'

/** The same operations, however they are done. Results are counted, so that nothing is left out. */
export interface Contender {
  byId(id: number): Promise<number>
  page(skip: number): Promise<number>
  dates(startDate: string, endDate: string, skip: number): Promise<number>
  completed(skip: number): Promise<number>
  userReference(reference: string): Promise<number>
  period(): Promise<number>
  start(merchantId: string): Promise<number>
  complete(merchantId: string, id: number): Promise<number>
}

export const PAGE = 50
export const PERIOD = 'c'.repeat(32)

/** What the benchmark measures: the store, by its port. */
export function tillkit(storage: Storage, merchantId: string): Contender {
  const list = async (filter: Parameters<Storage['payments']['list']>[1], skip: number) =>
    (await storage.payments.list(merchantId, filter, { skip, limit: PAGE })).items.length
  return {
    byId: async id => ((await storage.payments.get({ merchantId, id })) ? 1 : 0),
    page: skip => list({}, skip),
    dates: (startDate, endDate, skip) => list({ startDate, endDate }, skip),
    completed: skip => list({ status: ['completed'] }, skip),
    userReference: userReference => list({ userReference }, 0),
    async period() {
      const page = await storage.cashUps.payments(merchantId, PERIOD, { skip: 0, limit: PAGE })
      return page === null || page === 'not_ready' ? 0 : page.items.length
    },
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
