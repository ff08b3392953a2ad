import type { StartPayment, Till } from '@tillkit/till'
import { pick, whole } from './chance.ts'

/** A merchant of the demo: its account, its scan codes and how its customers pay. */
export interface Shop {
  id: string
  name: string
  features: { tips?: boolean; userReferences?: boolean; deviceLists?: boolean }
  codes: { code: string; reference: string }[]
  /** Payments on a day, about. */
  customers: number
  /** What one customer's phone sends. `number` is a new order number. */
  order(number: number): StartPayment
}

const coffee: Shop = {
  id: 'corner-coffee',
  name: 'Corner Coffee',
  features: { tips: true, userReferences: true },
  codes: [
    { code: 'coffee-counter', reference: 'Counter' },
    { code: 'coffee-terrace', reference: 'Terrace' },
    { code: 'coffee-takeaway', reference: 'Takeaway' },
  ],
  customers: 14,
  order(): StartPayment {
    const price = 50 * whole(5, 37)
    const tipAmount = pick([0, 0, 50, 100, 200])
    return {
      scanCode: pick(coffee.codes).code,
      totalAmount: price + tipAmount,
      tipAmount,
      userReference: pick([null, null, 'Table 4', 'Table 7', 'Anna', 'Joris']),
      isVoucherRedemption: whole(1, 20) === 1,
    }
  },
}

const books: Shop = {
  id: 'harbour-books',
  name: 'Harbour Books',
  features: { deviceLists: true },
  codes: [
    { code: 'books-till', reference: 'Till 1' },
    { code: 'books-webshop', reference: 'Webshop' },
  ],
  customers: 8,
  order(number): StartPayment {
    const requiredAmount = 5 * whole(159, 1299)
    const till = whole(1, 3) === 1
    return {
      scanCode: till ? 'books-till' : 'books-webshop',
      totalAmount: requiredAmount,
      requiredAmount,
      merchantReference: `HB-${number}`,
      strict: true,
      extra: till ? {} : { basket: String(whole(1, 6)), channel: pick(['web', 'app']) },
      deviceSerialNumber: till ? 'SN-20417' : null,
      isVoucher: whole(1, 15) === 1,
    }
  },
}

export const SHOPS: readonly Shop[] = [coffee, books]

/** Adds a shop's merchant and scan codes. */
export async function openShop(till: Till, { id, name, features, codes }: Shop): Promise<void> {
  await till.merchants.create({ id, name, features })
  for (const { code, reference } of codes) await till.scanCodes.create(id, { code, reference })
}
