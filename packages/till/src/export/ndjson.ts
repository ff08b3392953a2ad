import type { Payment } from '@tillkit/domain'
import { assertIterable, inChunks } from './in-chunks.ts'

/**
 * Payments as [NDJSON](https://github.com/ndjson/ndjson-spec): of each one line of JSON, with all fields of `Payment` as they
 * are, in pieces of whole lines. Takes a list or, as `till.payments.export` returns it, an async iterable, of which no more is
 * read than is asked for, and which is ended when the reader ends.
 */
export async function* toNdjson(
  payments: AsyncIterable<Payment> | Iterable<Payment>,
): AsyncGenerator<string, void, undefined> {
  assertIterable(payments)
  yield* inChunks(payments, linesOf)
}

function linesOf(payments: Payment[]): string {
  return payments.map(payment => `${JSON.stringify(payment)}\n`).join('')
}
