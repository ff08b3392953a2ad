import type { Storage } from '@tillkit/storage'

/** Where webhooks wait, and what is known of how they were taken from there. */
export interface Ground {
  version: string
  /** Whom workers deliver for. */
  dialect: 'postgres' | 'mysql'
  url: string
  /** Makes merchants and their payments. */
  prepare(shops: Shops): Promise<void>
  /** Has each payment's webhook wait, and nothing else. */
  fill(): Promise<void>
  /** What was read so far of the index of what is due, by workers that have ended. */
  read(): Promise<Read>
  /** Statements that the server was sent so far; left out where only workers know. */
  statements?(): Promise<number>
  close(): Promise<void>
}

/** What was read of an index. */
interface Read {
  entries: number
  /** With those that were written to; 0 where the engine counts none. */
  pages: number
}

/** The merchants: of each `n` from 0 on, its webhook URL. */
interface Shops {
  urls: string[]
  /** Payments of each, all delivered once. */
  payments: number
}

/** A connection of a worker's own, and how many statements it has sent. */
export interface Counted {
  storage: Storage & { close(): Promise<void> }
  sent(): number
}
