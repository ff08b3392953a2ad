import type { CashUp, Payment } from '@tillkit/domain'
import { createTill } from '@tillkit/till'
import { type Address, storageAt } from '../engines/address.ts'
import type { Entry } from '../journal/entry.ts'
import { type KeptCashUp, type KeptDelivery, type KeptPayment, readKept } from './kept.ts'

/** A period as the till tells it. */
interface ToldPeriod extends CashUp {
  /** The ids that it lists, and how many it says there are; null where it is not ready. */
  payments: { ids: number[]; total: number } | null
}

/** What the till says of a merchant, to be held against what is in the tables. */
export interface Told {
  merchantId: string
  payments: Payment[]
  /** The total it gives for all payments, and for each status. */
  total: number
  byStatus: Record<'pending' | 'completed' | 'error', number>
  cashUps: number
  periods: ToldPeriod[]
}

/** Everything there is to be counted after a run, each of it read on its own. */
export interface Books {
  payments: KeptPayment[]
  cashUps: KeptCashUp[]
  deliveries: KeptDelivery[]
  told: Told[]
  journal: Entry[]
  /** Processes that did not end as they should have. */
  casualties: string[]
  /** Whether all was done that was to be done: nothing pending, every webhook delivered. */
  atRest: boolean
}

const PER_PAGE = 100

async function all<Item>(
  list: (page: { page: number; perPage: number }) => Promise<{ items: Item[]; total: number }>,
) {
  const items: Item[] = []
  for (let page = 1; ; page++) {
    const found = await list({ page, perPage: PER_PAGE })
    items.push(...found.items)
    if (found.items.length < PER_PAGE) return { items, total: found.total }
  }
}

/** Reads the tables by the bare driver, and asks the till as a host would. */
export async function readBooks(
  address: Address,
  run: Pick<Books, 'journal' | 'casualties' | 'atRest'>,
): Promise<Books> {
  const kept = await readKept(address)
  const storage = storageAt(address)
  const till = createTill({ storage })
  try {
    const told: Told[] = []
    for (const { id: merchantId } of await till.merchants.list({ limit: 1000 })) {
      const payments = await all(page => till.payments.list(merchantId, page))
      const totalOf = async (status: 'pending' | 'completed' | 'error') =>
        (await till.payments.list(merchantId, { filter: { status: [status] }, perPage: 1 })).total
      const cashUps = await all(page => till.cashUps.list(merchantId, page))
      const periods: ToldPeriod[] = []
      for (const cashUp of cashUps.items) {
        const period = await all(page => till.cashUps.payments(merchantId, cashUp.reference, page)).catch(
          error => {
            if (error?.code === 'not_ready') return null
            throw error
          },
        )
        const listed = period && { ids: period.items.map(({ id }) => id), total: period.total }
        periods.push({ ...cashUp, payments: listed })
      }
      told.push({
        merchantId,
        payments: payments.items,
        total: payments.total,
        byStatus: {
          pending: await totalOf('pending'),
          completed: await totalOf('completed'),
          error: await totalOf('error'),
        },
        cashUps: cashUps.total,
        periods,
      })
    }
    return { ...kept, told, ...run }
  } finally {
    await till.close()
    await storage.close()
  }
}
