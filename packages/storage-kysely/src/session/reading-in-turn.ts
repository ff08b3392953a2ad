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
  return (merchantId, call, kind) =>
    connections.readTurns ? connections.readTurns.take(merchantId, readTimeoutSeconds, call, kind) : call()
}

/**
 * The port, whose lists of one merchant wait for that merchant's turn: each counts or finds all that matches. Those by one of its references
 * have turns of their own, since many payments may bear it. What is read by an id, a key or a code does not wait, nor a page of a walk, which
 * counts nothing; nor does a report, which asks for so little at a time that others come between.
 */
export function readingInTurn(storage: Storage, { atReadTurn }: Database): Storage {
  if (!atReadTurn) return storage
  const inTurn =
    <Given extends unknown[], Answer>(call: (merchantId: string, ...given: Given) => Promise<Answer>) =>
    (merchantId: string, ...given: Given): Promise<Answer> =>
      atReadTurn(merchantId, () => call(merchantId, ...given))
  const { payments, cashUps, deliveries } = storage
  return {
    ...storage,
    payments: {
      ...payments,
      list: (merchantId, filter, ...given) =>
        atReadTurn(
          merchantId,
          () => payments.list(merchantId, filter, ...given),
          filter.merchantReference === undefined ? 'lists' : 'lookups',
        ),
    },
    cashUps: { ...cashUps, list: inTurn(cashUps.list), payments: inTurn(cashUps.payments) },
    deliveries: { ...deliveries, list: inTurn(deliveries.list) },
  }
}
