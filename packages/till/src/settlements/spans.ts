import type { Payment } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import { LANES } from './batches/in-lanes.ts'
import type { LeftOut } from './calls.ts'

/** What is left out, added up exactly. */
interface AllLeftOut extends Omit<LeftOut, 'amount'> {
  amount: bigint
}

/** What a statement says of one merchant. */
interface Span {
  /** The ids of the payments that its rows name. */
  named: Set<number>
  /** The first and the last payment that it settles, or settled before; the first is above the last where there is none. */
  first: number
  last: number
  /** Whether any was settled by this import. */
  now: boolean
}

/** How many payments that are left out are returned. */
const LISTED = 100

/** How many ids one step looks through. */
const RUN = 1000

/** Which payments a statement names, and how far it reaches: all that is kept of rows that were dealt with. */
export class Spans {
  readonly #spans = new Map<string, Span>()

  /** Notes that a row names the payment. False where an earlier row did. */
  name(merchantId: string, id: number): boolean {
    const { named } = this.#of(merchantId)
    if (named.has(id)) return false
    named.add(id)
    return true
  }

  /** Notes that the statement settles the payment, or settled it before. */
  agree(merchantId: string, id: number, when: 'now' | 'before'): void {
    const span = this.#of(merchantId)
    span.first = Math.min(span.first, id)
    span.last = Math.max(span.last, id)
    if (when === 'now') span.now = true
  }

  /** The merchants of whom everything was settled before. */
  *settledBefore(): Generator<string> {
    for (const [merchantId, { now, first, last }] of this.#spans) if (!now && first <= last) yield merchantId
  }

  /** The completed payments that no row names, and that nothing settled, of each merchant as far as the statement reaches. */
  async leftOut(storage: Storage, signal: AbortSignal | undefined): Promise<AllLeftOut> {
    const left: AllLeftOut = { items: [], total: 0, amount: 0n }
    const spans = [...this.#spans].filter(([, { first, last }]) => first <= last)
    for (let start = 0; start < spans.length; start += LANES) {
      signal?.throwIfAborted()
      const those = spans.slice(start, start + LANES)
      for (const one of await Promise.all(those.map(span => leftOfMerchant(storage, span, signal)))) {
        left.items.push(...one.items.slice(0, LISTED - left.items.length))
        left.total += one.total
        left.amount += one.amount
      }
    }
    return left
  }

  #of(merchantId: string): Span {
    let span = this.#spans.get(merchantId)
    if (span === undefined) {
      span = { named: new Set(), first: Number.POSITIVE_INFINITY, last: 0, now: false }
      this.#spans.set(merchantId, span)
    }
    return span
  }
}

async function leftOfMerchant(
  { settlements }: Storage,
  [merchantId, { named, first, last }]: [string, Span],
  signal: AbortSignal | undefined,
): Promise<AllLeftOut> {
  const left: AllLeftOut = { items: [], total: 0, amount: 0n }
  for (let from = first; from <= last; from += RUN) {
    const to = Math.min(from + RUN - 1, last)
    const unsettled: Payment[] = await settlements.unsettled(merchantId, from, to)
    signal?.throwIfAborted()
    for (const payment of unsettled) {
      if (named.has(payment.id)) continue
      if (left.items.length < LISTED) left.items.push(payment)
      left.total += 1
      left.amount += BigInt(payment.totalAmount)
    }
  }
  return left
}
