import { type Payment, TillError } from '@tillkit/domain'

/** How many payments become one piece of text: enough that what is done for each piece costs nothing beside them. */
const CHUNK = 100

/** What `write` makes of each hundred payments, and of the rest. Nothing is read before it is asked for. */
export async function* inChunks(
  payments: AsyncIterable<Payment> | Iterable<Payment>,
  write: (chunk: Payment[]) => string,
): AsyncGenerator<string, void, undefined> {
  let chunk: Payment[] = []
  for await (const payment of payments) {
    if (chunk.push(payment) < CHUNK) continue
    yield write(chunk)
    chunk = []
  }
  if (chunk.length > 0) yield write(chunk)
}

/** Throws `invalid_input` for what cannot be read one payment after the other. */
export function assertIterable(payments: unknown): void {
  const isObject = typeof payments === 'object' && payments !== null
  if (isObject && (Symbol.asyncIterator in payments || Symbol.iterator in payments)) return
  throw new TillError('invalid_input', 'payments must be an iterable of payments')
}
