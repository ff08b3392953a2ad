import {
  disagreement,
  isText,
  MAX_REFERENCE_LENGTH,
  merchantId as merchantIdSchema,
  type Payment,
  paymentMeant,
  paymentNameOf,
  type WireDate,
} from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import type { NumberedRow } from './batches/rows.ts'
import type { Spans } from './spans.ts'
import type { Tally } from './tally.ts'

/** How many payments are settled in one step of the storage: few enough that nobody waits for it. */
const STEP = 500

interface Run {
  statementReference: string
  dryRun: boolean
  since: WireDate | null
  tally: Tally
  spans: Spans
}

/** Rows of one merchant, in their order: what agrees is settled, the rest is noted. */
export function settleRows(
  { settlements }: Storage,
  { statementReference, dryRun, since, tally, spans }: Run,
): (ofMerchant: [merchantId: string, rows: NumberedRow[]]) => Promise<void> {
  /** The rows that agree with a payment that is not settled yet, by its id. */
  async function agreeing(merchantId: string, rows: NumberedRow[]): Promise<Map<number, NumberedRow>> {
    const names = rows.map(({ row }) => paymentNameOf(row))
    const found = await settlements.find(merchantId, names, since)
    const agree = new Map<number, NumberedRow>()
    for (const [i, one] of rows.entries()) {
      const candidates = found[i] ?? []
      const payment = paymentMeant(candidates, statementReference)
      if (payment === null)
        tally.differs(one, candidates.length > 0 && candidates.every(failed) ? 'not_completed' : 'unknown')
      else if (!spans.name(merchantId, payment.id)) tally.differs(one, 'twice', payment)
      else if (payment.statementReference === null) {
        const why = disagreement(one.row, payment, statementReference)
        if (why === null) agree.set(payment.id, one)
        else tally.differs(one, why, payment)
      } else note(one, payment)
    }
    return agree
  }

  /** Of a payment that somebody has settled. */
  function note(one: NumberedRow, payment: Payment): void {
    const why = disagreement(one.row, payment, statementReference)
    if (why !== null) {
      tally.differs(one, why, payment)
      return
    }
    tally.already()
    spans.agree(payment.merchantId, payment.id, 'before')
  }

  async function settle(merchantId: string, agree: Map<number, NumberedRow>): Promise<void> {
    const payments = [...agree].map(([id, { row }]) => ({ id, fee: row.fee ?? 0 }))
    const { settled, others } = dryRun
      ? { settled: [...agree.keys()], others: [] }
      : await settlements.settle(merchantId, statementReference, payments)
    tally.settled(settled.length)
    for (const id of settled) {
      spans.agree(merchantId, id, 'now')
      agree.delete(id)
    }
    // Somebody else was first meanwhile.
    for (const payment of others) {
      const one = agree.get(payment.id)
      if (one) note(one, payment)
      agree.delete(payment.id)
    }
    for (const one of agree.values()) tally.differs(one, 'unknown')
  }

  return async ([merchantId, rows]) => {
    const [possible, impossible] = parted(merchantId, rows)
    for (const one of impossible) tally.differs(one, 'unknown')
    for (let start = 0; start < possible.length; start += STEP) {
      const agree = await agreeing(merchantId, possible.slice(start, start + STEP))
      if (agree.size > 0) await settle(merchantId, agree)
    }
  }
}

const failed = (payment: Payment) => payment.status === 'error'

/** Those rows whose names a merchant and a payment may have, and those whose names are of nobody. */
function parted(merchantId: string, rows: NumberedRow[]): [NumberedRow[], NumberedRow[]] {
  if (!merchantIdSchema.safeParse(merchantId).success) return [[], rows]
  const isPossible = ({ row: { merchantReference, authCode } }: NumberedRow) =>
    [merchantReference, authCode].every(text => text == null || isText(text, MAX_REFERENCE_LENGTH))
  return [rows.filter(isPossible), rows.filter(one => !isPossible(one))]
}
