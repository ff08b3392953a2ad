import type { Storage } from '@tillkit/storage'

/** A server of its own with delivered webhooks on it, which have numbers in the order in which they were delivered. */
export interface Ground {
  version: string
  deliveries: Pick<Storage['deliveries'], 'purge'>
  /** Writes those from `first` to `last` as they are in the end. */
  fill(first: number, last: number): Promise<void>
  /** Has those from `first` to `last` written, leased and delivered, as a worker does. */
  deliver(first: number, last: number): Promise<void>
  /** Keeps the engine from cleaning up, where it can be kept, or lets it. */
  holdBack(isHeld: boolean): Promise<void>
  /** Resolves when the engine has cleaned up as far as it does by itself. */
  settled(): Promise<void>
  /** Pages that purges have looked at so far; left out where the engine counts its own cleaning among them. */
  pages?(): Promise<number>
  /** Bytes of each table and of its indexes. */
  sizes(): Promise<Sizes>
  close(): Promise<void>
}

type Sizes = { name: string; bytes: number }[]

/** As many merchants take turns. */
export const MERCHANTS = 10_000

/** Of as many one is delivered at its second attempt, a minute after the first; an only attempt stands in its delivery. */
export const RETRIED = 10

const FIRST = Date.parse('2026-01-01T00:00:00Z')
const APART = 250

/** When the one with the number `n` was delivered. */
export const deliveredAt = (n: number) => new Date(FIRST + n * APART).toISOString()
