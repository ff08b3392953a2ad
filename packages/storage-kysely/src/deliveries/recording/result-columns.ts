import type { DeliveryResult } from '@tillkit/storage'

/** Results as columns: one array a column, so that any number of them is one form of a statement. */
export interface ResultColumns {
  paymentId: number[]
  fence: number[]
  state: string[]
  nextAttemptAt: (string | null)[]
  beganAt: string[]
  status: (number | null)[]
  milliseconds: number[]
  error: (string | null)[]
  answer: (string | null)[]
  asked: boolean[]
}

export function resultColumns(results: DeliveryResult[], time: (value: string) => string): ResultColumns {
  return {
    paymentId: results.map(({ paymentId }) => paymentId),
    fence: results.map(({ fence }) => fence),
    state: results.map(({ state }) => state),
    nextAttemptAt: results.map(({ nextAttemptAt }) => nextAttemptAt && time(nextAttemptAt)),
    beganAt: results.map(({ attempt }) => time(attempt.at)),
    status: results.map(({ attempt }) => attempt.status),
    milliseconds: results.map(({ attempt }) => attempt.milliseconds),
    error: results.map(({ attempt }) => attempt.error),
    answer: results.map(({ attempt }) => attempt.answer),
    asked: results.map(({ asked = true }) => asked),
  }
}
