import { after } from '@tillkit/domain'
import { PENDING_AGES, type StorageCounts } from '../inspection.ts'
import type { Storage } from '../storage.ts'
import type { State } from './state.ts'

/** All of it is in this process: there is nothing to be set, and nothing that a crash would leave. */
export function inspect(state: State): NonNullable<Storage['inspect']> {
  return async ({ now, webhookKeyPrefixes }) => ({
    engine: 'memory',
    version: `of Node ${process.versions.node}`,
    settings: {},
    findings: [
      {
        level: 'warning',
        check: 'durability',
        says: 'Everything is kept in the memory of one process, and is gone when it ends.',
        advice:
          'Keep payments in a database: @tillkit/storage-kysely has stores for SQLite, PostgreSQL and MySQL.',
      },
    ],
    counts: countsOf(state, now === null ? new Date() : new Date(now), webhookKeyPrefixes),
  })
}

function countsOf({ accounts }: State, now: Date, prefixes: readonly string[]): StorageCounts {
  const all = [...accounts.values()]
  const pending = all.flatMap(({ payments }) => payments.filter(({ status }) => status === 'pending'))
  const keys = all.flatMap(({ webhookKey }) => (webhookKey === null ? [] : [webhookKey]))
  const deliveries = all.flatMap(account => [...account.deliveries.values()])
  return {
    pendingPayments: PENDING_AGES.map(olderThanSeconds => {
      // The first counts all, what a wrong clock has dated ahead too.
      const latest =
        olderThanSeconds === 0 ? Number.POSITIVE_INFINITY : after(now, -olderThanSeconds).getTime()
      return { olderThanSeconds, count: pending.filter(({ date }) => Date.parse(date) <= latest).length }
    }),
    damagedDeliveries: deliveries.filter(
      ({ state, lastError }) => state === 'exhausted' && lastError === 'payment is gone',
    ).length,
    suspendedMerchants: all.filter(({ merchant }) => merchant.suspendedAt !== null).length,
    webhookKeys: {
      total: keys.length,
      withPrefix: prefixes.map(prefix => keys.filter(key => key.startsWith(prefix)).length),
    },
  }
}
