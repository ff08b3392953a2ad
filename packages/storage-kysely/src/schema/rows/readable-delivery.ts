import { DELIVERY_STATES, type Delivery, type DeliveryAttempt, type Instant } from '@tillkit/domain'
import { instantOf, isDate } from '../dates.ts'
import type { Whole } from './payment-row.ts'
import type { AttemptRow, DeliveryRow } from './rows.ts'

/** The date of what has none that can be read. */
const NO_TIME: Instant = '1970-01-01T00:00:00.000Z'

/**
 * A delivery as far as its row can be read: what is damaged in it stands in `lastError`, and keeps nobody from the rest of
 * a list. One whose state is none of those there are is never attempted, and so `exhausted`.
 */
export function toDelivery(row: DeliveryRow): Delivery {
  const read = reader('delivery')
  const delivery = {
    merchantId: row.merchant_id,
    paymentId: Number(row.payment_id),
    state: DELIVERY_STATES.includes(row.state) ? row.state : read.wrong('state', 'exhausted' as const),
    attempts: read.whole('attempts', row.attempts) ?? read.wrong('attempts', 0),
    nextAttemptAt: read.time('next_attempt_at', row.next_attempt_at),
    lastAttemptAt: read.time('last_attempt_at', row.last_attempt_at),
    lastStatus: read.whole('last_status', row.last_status),
    createdAt: read.time('created_at', row.created_at) ?? read.wrong('created_at', null),
  }
  const { lastAttemptAt, nextAttemptAt, createdAt } = delivery
  return {
    ...delivery,
    lastError: read.fault() ?? row.last_error,
    createdAt: createdAt ?? lastAttemptAt ?? nextAttemptAt ?? NO_TIME,
  }
}

/** The same of an attempt, with what is damaged in `error`. */
export function toAttempt(row: AttemptRow): DeliveryAttempt & { paymentId: number } {
  const read = reader('attempt')
  const attempt = {
    paymentId: Number(row.payment_id),
    at: read.time('began_at', row.began_at) ?? read.wrong('began_at', NO_TIME),
    status: read.whole('status', row.status),
    milliseconds: read.whole('milliseconds', row.milliseconds) ?? read.wrong('milliseconds', 0),
    answer: row.answer,
  }
  return { ...attempt, error: read.fault() ?? row.error }
}

/** Reads columns, and remembers the first in which something stands that may not. */
function reader(what: string) {
  let wrongColumn: string | undefined
  const wrong = <Instead>(column: string, instead: Instead): Instead => {
    wrongColumn ??= column
    return instead
  }
  return {
    wrong,
    time(column: string, value: unknown): Instant | null {
      if (value === null) return null
      return isDate(value) ? instantOf(value) : wrong(column, null)
    },
    whole(column: string, value: Whole | null): number | null {
      if (value === null) return null
      return Number.isSafeInteger(Number(value)) ? Number(value) : wrong(column, null)
    },
    fault: () => wrongColumn && `${what} cannot be read: its ${wrongColumn} is not what may stand there`,
  }
}
