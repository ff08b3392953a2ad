import type { NewPayment, Payment } from '@tillkit/domain'
import { at, EVERYTHING, type Scene } from '../scene.ts'

/** Nine payments, ten seconds apart, three of each status; in each group of three, the fields differ. */
export async function ninePayments(
  { storage, start, completed, failed }: Scene,
  merchantId: string,
): Promise<Payment[]> {
  for (let n = 0; n < 9; n++) {
    const fields: Partial<NewPayment> = {
      scanCode: n < 5 ? 'till-1' : 'till-2',
      scanCodeReference: n % 2 === 0 ? 'Counter' : null,
      userReference: n === 4 ? 'Table 4' : null,
      merchantReference: n % 4 === 1 ? 'order-1' : `order-x${n}`,
      extra: { n: `${n}` },
    }
    await [start, completed, failed][n % 3]?.(merchantId, fields, at(10 * n))
  }
  await storage.payments.settle(merchantId, 'BANK-1', [2, 8])
  await storage.payments.settle(merchantId, 'BANK-2', [5])
  return (await storage.payments.list(merchantId, {}, EVERYTHING)).items
}
