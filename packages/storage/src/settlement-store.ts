import type {
  FoundStatement,
  Instant,
  ListedStatement,
  Page,
  Payment,
  PaymentName,
  Slice,
  WireDate,
} from '@tillkit/domain'

/** A payment that a statement pays out, and what was kept of it. */
export interface PaymentToSettle {
  /** The payment's id. */
  id: number
  /** In cents; below 0 where it was given back. */
  fee: number
}

/** What became of payments that were to be settled. */
export interface SettledPayments {
  /** The ids of those that this call settled. */
  settled: number[]
  /** The others as they are, of those that there are: settled before, under this reference or another, or not completed. */
  others: Payment[]
}

/** What came of the import of a statement. */
export interface ImportEnd {
  /** How many rows the statement has. */
  rows: number
  /** How many of them settled nothing, and were not settled before. */
  differences: number
}

/**
 * Statements of whoever pays out, and what they settled. What is settled is kept by merchant; a statement's own record
 * holds nothing that a payment's settlement has to wait for.
 */
export interface SettlementStore {
  /** Notes that an import of the statement began. One that was noted before keeps its `startedAt`. */
  begin(statementReference: string, now: Instant | null): Promise<void>

  /**
   * For each name, of which one part at least is not null, those of the merchant's payments that it fits: with an `id`, that one; else any `MOST_MEANT` (of the domain)
   * of those that are pending or completed, or, where there are none, of those that failed; all by ascending id. With `since`, and without an `id`, only payments
   * that were started at or after it. Costs a read of an index for each name, but for a name that has an `authCode` alone: those cost what the merchant has since then.
   */
  find(merchantId: string, names: PaymentName[], since: WireDate | null): Promise<Payment[][]>

  /**
   * Puts `statementReference` on those of the merchant's payments that are completed and have none, and adds them, with their
   * fees, to what it has settled for the merchant, in the same step. Each payment is for itself; of calls racing for one, exactly one has it
   * among `settled`, and counts its fee. So a repeat changes nothing, and an import that was killed goes on where it was. With no
   * payments it makes sure that what an earlier version of the store has settled under the reference is counted.
   */
  settle(
    merchantId: string,
    statementReference: string,
    payments: PaymentToSettle[],
  ): Promise<SettledPayments>

  /** The merchant's completed payments with ids from `firstId` to `lastId` that nothing settled, ascending. Costs what the run of ids has. */
  unsettled(merchantId: string, firstId: number, lastId: number): Promise<Payment[]>

  /** Notes that an import of the statement came to its end; of several, the last one is kept. One that never began is left. */
  finish(statementReference: string, end: ImportEnd, now: Instant | null): Promise<void>

  /** A slice of the statements that were imported, newest first, and how many there are. Costs a row for each merchant of each of them. */
  list(slice: Slice): Promise<Page<ListedStatement>>

  /** A statement, whichever way its payments were settled, with a slice of its merchants; null when there is none. Costs a row for each merchant. */
  get(statementReference: string, slice: Slice): Promise<FoundStatement | null>
}
