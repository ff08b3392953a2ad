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
 * The port, whose lists of one merchant wait for that merchant's turn: each counts or finds all that matches. What is read by an id, a key, a
 * code or a merchant's reference does not, nor a page of a walk, which counts nothing; nor does a report, which asks for so little at a time
 * that others come between.
 */
export function readingInTurn(storage: Storage, { atReadTurn }: Database): Storage {
  if (!atReadTurn) return storage
  const inTurn =
    <Given extends unknown[], Answer>(call: (merchantId: string, ...given: Given) => Promise<Answer>) =>
    (merchantId: string, ...given: Given): Promise<Answer> =>
      atReadTurn(merchantId, () => call(merchantId, ...given))
  const { payments, cashUps, deliveries } = storage
  const listInTurn = inTurn(payments.list)
  return {
    ...storage,
    payments: {
      ...payments,
      list: (merchantId, filter, ...given) =>
        (filter.merchantReference === undefined ? listInTurn : payments.list)(merchantId, filter, ...given),
    },
    cashUps: { ...cashUps, list: inTurn(cashUps.list), payments: inTurn(cashUps.payments) },
    deliveries: { ...deliveries, list: inTurn(deliveries.list) },
  }
}
