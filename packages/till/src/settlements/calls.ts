import type {
  DifferenceReason,
  FoundStatement,
  ListedStatement,
  Page,
  PageRequest,
  Payment,
  StatementRow,
} from '@tillkit/domain'

/** A row of a statement that settles nothing. */
export interface Difference {
  /** The row, as it was given. */
  row: StatementRow
  /** Why. */
  why: DifferenceReason
  /** The payment that the row means, as it is; left out where there is none, or where which one is meant would be a guess. */
  payment?: Payment
}

/** How far an import has come. */
export interface ImportProgress {
  /** How many rows were read and dealt with. */
  rows: number
  /** Of those, how many this import settled, or would settle. */
  settled: number
  /** Of those, how many were settled under the statement's reference before. */
  already: number
  /** Of those, how many settled nothing. */
  differences: number
}

/** What `till.settlements.import` takes. */
export interface ImportStatement {
  /** The reference on the merchants' bank statements: text of 1 to 255 characters. */
  statementReference: string
  /** The statement's rows, in any order: a list, or whatever gives one after the other. They are read once. */
  rows: Iterable<StatementRow> | AsyncIterable<StatementRow>
  /** True to change nothing, and to be told what an import would do. */
  dryRun?: boolean | undefined
  /**
   * An ISO 8601 date-time: a merchant reference or an authentication code means a payment that was started at or after it; any
   * when left out. A payment id means its payment, whenever that was started.
   */
  since?: string | undefined
  /** Hears how far it has come after each 5000 rows, and at the end. What it throws is passed over. */
  onProgress?: ((progress: ImportProgress) => void) | undefined
  /**
   * Hears every difference in the order of the rows, also those that are too many to be returned. It is waited for; what it
   * throws ends the import.
   */
  onDifference?: ((difference: Difference) => unknown) | undefined
  /** Ends the import with its reason, where it has come to. */
  signal?: AbortSignal | undefined
}

/** Completed payments that a statement leaves out. */
export interface LeftOut {
  /** The first 100, by merchant in the order of the rows, then by id. */
  items: Payment[]
  /** How many there are. */
  total: number
  /** Of all of them, the sum of `totalAmount`, in cents. One beyond 2^53 - 1 throws a `RangeError`, once all is settled. */
  amount: number
}

/** What came of an import. `settled`, `already` and `differing` come to the number of rows. */
export interface Imported {
  /** How many payments this import settled, or would settle. */
  settled: number
  /** How many were settled under the statement's reference before. */
  already: number
  /** The rows that settle nothing, in their order: the first 10,000. */
  differences: Difference[]
  /** How many rows settle nothing, by why. */
  differing: Record<DifferenceReason, number>
  /**
   * What the statement leaves out: of each merchant, the completed payments between the first and the last that the statement
   * settles, by id, that nothing settled and that no row names.
   */
  left: LeftOut
}

/** `till.settlements` */
export interface Settlements {
  /**
   * Settles the payments of a statement that agree with it: those of its rows that name one payment, completed, of that amount. Returns the
   * rows that do not, and what the statement leaves out. Done again it settles what is left to be settled: one that was killed, or that runs in two
   * processes at once, ends as if it had run once. A row that is none throws `invalid_input` naming it, and what came before it stays settled.
   */
  import(statement: ImportStatement): Promise<Imported>
  /** The statements that were imported, newest first, with what each has settled. */
  list(page?: PageRequest): Promise<Page<ListedStatement>>
  /** A statement with a page of its merchants, also where `till.payments.settle` settled its payments; null when there is none. */
  get(statementReference: string, page?: PageRequest): Promise<FoundStatement | null>
}
