import type { CashUp, Payment } from '@tillkit/domain'

/** A payment by its key, as the programs name it. */
interface Key {
  merchantId: string
  id: number
}

/** What a process was about to do, was answered, or saw. Only what was answered is held against the database. */
export type Entry =
  /** A start is about to be asked for; it may be asked for again under the same name where it is `keyed`. */
  | { what: 'asked'; attempt: string; keyed: boolean; merchantId: string; totalAmount: number }
  | { what: 'started'; attempt: string; created: boolean; payment: Payment }
  | { what: 'resolved'; payment: Payment }
  /** An outcome was refused, because the payment has the other one. */
  | ({ what: 'conflict'; wanted: 'completed' | 'error' } & Key)
  | { what: 'settled'; merchantId: string; statementReference: string; paymentIds: number[] }
  | { what: 'cashedUp'; merchantId: string; idempotencyKey: string | null; cashUp: CashUp }
  /** A worker says that the result of a delivery is written down. */
  | ({ what: 'result'; delivered: boolean; number: number } & Key)
  /** A receiver got a webhook. */
  | ({ what: 'received'; signed: boolean; status: string; totalAmount: number; answered: number } & Key)
  /** A bank took the money of a payment, or declined to. */
  | ({ what: 'charged' | 'declined'; totalAmount: number } & Key)
  /** An error was thrown: whatever was asked for may have been done or not. */
  | ({ what: 'refused'; call: string } & Refusal)
  /** A program logged a line that holds what no line may hold. */
  | { what: 'leaked'; line: string }
  /** The heap in use after a forced collection, in bytes. */
  | { what: 'heap'; process: string; bytes: number }

export interface Refusal {
  /** The error's class. */
  name: string
  message: string
  /** The codes of the error and of what caused it. */
  codes: string[]
  /** Whether its text, down to its last cause, holds what no error may hold. */
  leaks: boolean
  /** Of what is none of Tillkit's classes: the whole of it. */
  text?: string
}

/** Entries that say that something was done; the others come also when nothing works. */
export const DONE: ReadonlySet<Entry['what']> = new Set([
  'started',
  'resolved',
  'conflict',
  'settled',
  'cashedUp',
  'result',
  'charged',
  'declined',
])
