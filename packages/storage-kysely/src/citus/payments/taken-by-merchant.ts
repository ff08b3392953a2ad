import type { Sums, WireDate } from '@tillkit/domain'
import { merchantsSince } from '../../reports/takings/spans-of-all.ts'
import { StepSums } from '../../reports/takings/step-sums.ts'
import type { Database } from '../../session/database.ts'
import { forEachMerchant } from '../by-merchant.ts'

/** What was taken of all merchants, added up of what was of each: all of a merchant's is at one node. */
export function takenByMerchant(
  database: Database,
  takenOfOne: (merchantId: string, bounds: readonly WireDate[]) => Promise<Sums<bigint>[] | null>,
): (bounds: readonly WireDate[]) => Promise<Sums<bigint>[]> {
  const findMerchants = merchantsSince(database)

  return async bounds => {
    const totals = new StepSums(bounds).sums()
    const merchants = (await findMerchants(bounds[0] ?? '')).map(({ merchantId }) => merchantId)
    await forEachMerchant(
      merchants.map(merchantId => [merchantId, []]),
      async merchantId => {
        const taken = (await takenOfOne(merchantId, bounds)) ?? []
        for (const [n, total] of totals.entries()) {
          const { count, totalAmount, tipAmount } = taken[n] ?? { count: 0, totalAmount: 0n, tipAmount: 0n }
          total.count += count
          total.totalAmount += totalAmount
          total.tipAmount += tipAmount
        }
      },
    )
    return totals
  }
}
