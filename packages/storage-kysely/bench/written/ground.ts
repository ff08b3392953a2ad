import type { Storage } from '@tillkit/storage'
import type { DialectName } from '../../src/index.ts'

/** A database that what is written to is measured of. */
export interface Ground {
  version: string
  dialect: DialectName
  storage: Storage
  run(statement: string): Promise<void>
  /** Bytes of each table without its indexes, and of each index, by their names. */
  sizes(): Promise<Map<string, number>>
  /** Where the engine tells how much of its log was written, and of what was updated how much left the indexes as they were. */
  log?: Log
  close(): Promise<void>
}

/** What PostgreSQL tells of its writing. */
export interface Log {
  /** How it keeps the images of pages that are written for the first time after a checkpoint. */
  compression: string
  /** Bytes of WAL since the server was made. */
  written(): Promise<number>
  /** Begins a time in which each page that is changed is written whole once. */
  checkpoint(): Promise<void>
  /** Updates of a table, and how many of them were of the heap alone. */
  updates(table: string): Promise<{ all: number; heapOnly: number }>
}

/** Where the tables are made. */
export interface GroundOptions {
  /** A folder of PostgreSQL's programs; those that npm brings, which have no lz4, when left out. */
  programs: string | undefined
}
