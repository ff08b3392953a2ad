import type { Storage } from '@tillkit/storage'
import type { Connections } from '../connections/connections.ts'
import type { TimeLimits } from '../connections/limits/time-limits.ts'
import type { Database } from './database.ts'

/** What runs long reads at their turns to the connections as they are then; undefined where they take none. */
export function atReadTurn(
  connections: Connections,
  { readTimeoutSeconds }: Required<TimeLimits>,
): Database['atReadTurn'] {
  if (!connections.readTurns) return undefined
  return (merchantId, call) =>
    connections.readTurns ? connections.readTurns.take(merchantId, readTimeoutSeconds, call) : call()
}

/**
 * The port, whose calls that read what may take long of one merchant each wait for that merchant's turn. What is read by an id, a key or a code
 * does not, nor does what a provider asks of all merchants.
 */
export function readingInTurn(storage: Storage, { atReadTurn }: Database): Storage {
  if (!atReadTurn) return storage
  const inTurn =
    <Given extends unknown[], Answer>(call: (merchantId: string, ...given: Given) => Promise<Answer>) =>
    (merchantId: string, ...given: Given): Promise<Answer> =>
      atReadTurn(merchantId, () => call(merchantId, ...given))
  const { payments, cashUps, reports, deliveries } = storage
  const takingsOfOne = inTurn(reports.takings)
  return {
    ...storage,
    payments: { ...payments, list: inTurn(payments.list), walk: inTurn(payments.walk) },
    cashUps: { ...cashUps, list: inTurn(cashUps.list), payments: inTurn(cashUps.payments) },
    reports: {
      period: inTurn(reports.period),
      takings: (merchantId, bounds) =>
        merchantId === null ? reports.takings(null, bounds) : takingsOfOne(merchantId, bounds),
    },
    deliveries: { ...deliveries, list: inTurn(deliveries.list) },
  }
}
