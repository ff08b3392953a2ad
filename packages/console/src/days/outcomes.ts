import type { Merchant, Till } from '@tillkit/till'
import type { Day } from './day.ts'

/** How many payments that were started on a day ended how. */
export interface Outcomes {
  completed: number
  failed: number
}

/** A merchant's day. */
export interface MerchantDay extends Outcomes {
  merchant: Merchant
  /** What was taken, in cents. */
  totalAmount: number
}

/** What part of them completed; null where there are none. */
export function successShare({ completed, failed }: Outcomes): number | null {
  return completed + failed === 0 ? null : completed / (completed + failed)
}

/** Both are totals of lists, which cost no reading. */
export async function outcomesOf(till: Till, merchantId: string, { start, end }: Day): Promise<Outcomes> {
  const total = async (status: 'completed' | 'error') => {
    const filter = { status: [status], startDate: start.toISOString(), endDate: end.toISOString() }
    return (await till.payments.list(merchantId, { filter, perPage: 1 })).total
  }
  const [completed, failed] = await Promise.all([total('completed'), total('error')])
  return { completed, failed }
}

/** The same with what was taken, which is read where there is any. */
export async function merchantDayOf(
  till: Till,
  merchant: Merchant,
  day: Day,
  timeZone: string,
): Promise<MerchantDay> {
  const outcomes = await outcomesOf(till, merchant.id, day)
  if (outcomes.completed === 0) return { merchant, ...outcomes, totalAmount: 0 }
  const range = { from: day.start.toISOString(), to: day.end.toISOString(), by: 'day' as const, timeZone }
  const taken = await till.reports.takings(merchant.id, range)
  return { merchant, ...outcomes, totalAmount: taken.reduce((sum, step) => sum + step.totalAmount, 0) }
}
