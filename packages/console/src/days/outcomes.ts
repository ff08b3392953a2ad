import type { Till } from '@tillkit/till'

/** How many payments that were started since a time ended how. */
export interface Success {
  completed: number
  failed: number
}

/** Both are totals of lists, which cost no reading. */
export async function successOf(till: Till, merchantId: string, since: Date): Promise<Success> {
  const total = async (status: 'completed' | 'error') => {
    const filter = { status: [status], startDate: since.toISOString() }
    return (await till.payments.list(merchantId, { filter, perPage: 1 })).total
  }
  const [completed, failed] = await Promise.all([total('completed'), total('error')])
  return { completed, failed }
}
