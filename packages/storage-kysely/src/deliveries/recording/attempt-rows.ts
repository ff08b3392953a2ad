import type { DeliveryResult } from '@tillkit/storage'
import { instantOf, isDate, type ReadDate } from '../../schema/dates.ts'

/** An attempt as a row of its own. */
export interface AttemptRow {
  merchant_id: string
  payment_id: number
  number: number
  began_at: string
  status: number | null
  milliseconds: number
  error: string | null
  answer: string | null
}

/** What is read of a delivery before an attempt is written beside those there were. */
export interface Before {
  last_attempt_at: ReadDate | null
  last_status: number | string | bigint | null
  lone_milliseconds: number | string | bigint | null
  lone_answer: string | null
}

/**
 * The rows that the attempt of a result adds: its own, after that of an only attempt which stood in the delivery.
 *
 * @param last - the number of the newest attempt that has a row; null where none has.
 */
export function attemptRows(
  { merchantId, paymentId, attempt }: DeliveryResult,
  before: Before | undefined,
  last: number | string | bigint | null | undefined,
  time: (value: string) => string,
): AttemptRow[] {
  const key = { merchant_id: merchantId, payment_id: paymentId }
  const { at, status, milliseconds, error, answer } = attempt
  const own = { ...key, began_at: time(at), status, milliseconds, error, answer }
  const number = Number(last ?? 0) + 1
  if (number > 1 || !isDate(before?.last_attempt_at) || before.lone_milliseconds === null)
    return [{ ...own, number }]
  const lone = {
    began_at: time(instantOf(before.last_attempt_at)),
    status: before.last_status === null ? null : Number(before.last_status),
    milliseconds: Number(before.lone_milliseconds),
    error: null,
    answer: before.lone_answer,
  }
  return [
    { ...key, ...lone, number },
    { ...own, number: number + 1 },
  ]
}
