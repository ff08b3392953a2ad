import type { Ground, Log } from './ground.ts'
import { historyStatements, merchantIds } from './history.ts'
import { stepsOf } from './steps.ts'

/** What one form of the schema has written. */
export interface Written {
  /** Bytes of WAL that each step took, with each page that it changes for the first time since a checkpoint, and without. */
  steps: Map<string, { cold: number; warm: number }>
  /** The share of updates of a table that left its indexes as they were. */
  heapOnly: Map<string, number>
  /** Bytes a payment of each table without its indexes, and of each index. */
  bytes: Map<string, number>
}

interface Amount {
  merchants: number
  payments: number
  /** So many payments are watched, of as many merchants. */
  watched: number
  /** Whether deliveries are claimed, and not handed over by their outcomes. */
  byClaim: boolean
}

const UPDATED = ['tillkit_payments', 'tillkit_deliveries', 'tillkit_ledgers']

/** What has no row a payment. */
const NOT_OF_PAYMENTS = /merchants|ledgers|scan_codes|api_keys|cash_ups|endpoints|migrations/

export async function measureWritten(ground: Ground, amount: Amount): Promise<Written> {
  const { storage, log, dialect } = ground
  const merchants = merchantIds(amount.merchants)
  for (const statement of historyStatements(dialect, merchants, amount.payments)) await ground.run(statement)
  const watched = merchants
    .map(id => ({ id, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, amount.watched)
    .map(({ id }) => id)

  const steps: Written['steps'] = new Map()
  for (const time of ['cold', 'warm'] as const) {
    if (time === 'cold') await log?.checkpoint()
    for (const { name, work } of stepsOf(storage, amount)) {
      const before = await log?.written()
      await work(watched)
      const after = await log?.written()
      if (before === undefined || after === undefined) continue
      const step = steps.get(name) ?? { cold: 0, warm: 0 }
      steps.set(name, { ...step, [time]: (after - before) / watched.length })
    }
  }
  const sizes = [...(await ground.sizes())].filter(([name]) => !NOT_OF_PAYMENTS.test(name))
  const payments = amount.merchants * amount.payments + 2 * watched.length
  return {
    steps,
    heapOnly: log ? await heapOnlyShares(log) : new Map(),
    bytes: new Map(sizes.map(([name, bytes]) => [name, bytes / payments])),
  }
}

async function heapOnlyShares(log: Log): Promise<Map<string, number>> {
  const shares = new Map<string, number>()
  for (const table of UPDATED) {
    const { all, heapOnly } = await log.updates(table)
    shares.set(table, heapOnly / all)
  }
  return shares
}
