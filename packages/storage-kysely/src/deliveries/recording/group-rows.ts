import { KEPT_ATTEMPTS } from '@tillkit/domain'
import type { DeliveryResult } from '@tillkit/storage'
import { type AttemptRow, attemptRows, type Before } from './attempt-rows.ts'

/** A delivery of a group, locked, as it is before its result is written. */
export interface Found extends Before {
  /** The place of its result, from 1 on. */
  place: number | string
  fence: number | string | null
  is_pending: number | string
  /** The number of the newest attempt that has a row. */
  last_number: number | string | null
  /** Null where its merchant's endpoint is not failing. */
  is_failing: number | string | null
}

/** What a result and its delivery say of each other. */
interface Pair {
  result: DeliveryResult
  row: Found
}

/** Whether it is an only attempt that was a success, which stands in its delivery. */
const isLone = ({ result, row }: Pair) => result.attempt.error === null && row.last_attempt_at === null

type Time = (value: string) => string

/** What a result writes into its delivery. */
export function resultRow(result: DeliveryResult, row: Found, time: Time) {
  const { merchantId, paymentId, state, nextAttemptAt, attempt } = result
  const lone = isLone({ result, row })
  return {
    ...{ merchant_id: merchantId, payment_id: paymentId, state },
    next_attempt_at: nextAttemptAt && time(nextAttemptAt),
    last_attempt_at: time(attempt.at),
    last_status: attempt.status,
    last_error: attempt.error,
    lone_milliseconds: lone ? attempt.milliseconds : null,
    lone_answer: lone ? attempt.answer : null,
  }
}

/** The attempts that get rows, and up to which number they push older ones out. */
export function attemptsOf(
  pairs: Pair[],
  time: Time,
): { rows: AttemptRow[]; old: Pick<AttemptRow, 'merchant_id' | 'payment_id' | 'number'>[] } {
  const rows = pairs
    .filter(pair => !isLone(pair))
    .flatMap(({ result, row }) => attemptRows(result, row, row.last_number, time))
  const old = rows.flatMap(({ merchant_id, payment_id, number }) =>
    number > KEPT_ATTEMPTS ? [{ merchant_id, payment_id, number: number - KEPT_ATTEMPTS }] : [],
  )
  return { rows, old }
}

/** Since when the endpoints fail of which nothing but failures is told, in an order in which no two groups wait for each other. */
export function failuresOf(pairs: Pair[], time: Time): { merchant_id: string; failing_since: string }[] {
  const told = pairs.filter(({ result, row }) => (result.asked ?? true) && row.is_failing === null)
  return [...Map.groupBy(told, ({ result }) => result.merchantId)]
    .filter(([, some]) => some.every(({ result }) => result.attempt.error !== null))
    .map(([merchant_id, some]) => ({
      merchant_id,
      failing_since: time(some.map(({ result }) => result.attempt.at).toSorted()[0] ?? ''),
    }))
    .toSorted((a, b) => (a.merchant_id < b.merchant_id ? -1 : 1))
}
