import { hash } from 'node:crypto'
import { z } from 'zod'

/** One test ledger: whose it is, and how often it was begun anew. */
export interface LedgerName {
  /** The id of its merchant in the live till. */
  liveId: string
  /** From 1; each reset adds one. */
  generation: number
}

const tagOf = (text: string, length: number) => hash('sha256', text, 'base64url').slice(0, length)

/** Under which id a merchant's test keys and its generation are kept: no live id, and the same for every process. */
export function accountId(liveId: string): string {
  return `sandbox.${tagOf(liveId, 32)}`
}

/** Under which id a ledger is kept. */
export function storedId({ liveId, generation }: LedgerName): string {
  return `${accountId(liveId)}.${generation}`
}

/**
 * What the merchant is called within its ledger, and so in `webhook-id`: not as in the live till, or a receiver that knows
 * both would take a live webhook for the repeat of a test one.
 */
export function shownId(liveId: string): string {
  return liveId.length <= 59 ? `test:${liveId}` : `test:${tagOf(liveId, 32)}`
}

/** How long a scan code of a sandbox may be: what is kept of it has its ledger before it. */
export const LONGEST_CODE = 40

/** Checks a scan code of a sandbox. */
export const ledgerCode = z
  .string()
  .regex(new RegExp(`^[A-Za-z0-9_-]{1,${LONGEST_CODE}}$`), `must be 1 to ${LONGEST_CODE} of A-Za-z0-9_-`)

/** What scan codes of a ledger are kept under, so that every merchant may have a `counter`. */
export function codePrefix(name: LedgerName): string {
  return `${tagOf(storedId(name), 22)}_`
}
