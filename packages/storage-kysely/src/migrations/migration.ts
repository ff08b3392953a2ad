import type { Kysely, RawBuilder } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { Index } from './indexes/index-of-table.ts'

/**
 * One step of the schema. What it changes must leave processes of the version before able to go on, as CONTRIBUTING.md
 * has it: it expands, and what is no longer needed goes when they are gone.
 */
export interface Migration {
  /**
   * New tables, and columns that may be left out: what is over in a moment, however many rows there are. It may be begun again after it
   * got to its end, so it leaves what is there as it is.
   */
  tables?(context: MigrationContext): Promise<void>
  /** New indexes of any table. They are built one after the other while everything goes on. */
  indexes?(dialect: Dialect): TableIndex[]
  /** Indexes that this version reads by no more, and that slow down writes alone. They go last, and only if that is wanted. */
  drops?(dialect: Dialect): Pick<TableIndex, 'table' | 'name'>[]
  /**
   * Rows that processes of the version before have left wrong, since they know nothing of them: set right when those are gone, a few at a
   * time while everything goes on. It may be begun again, and is noted by a name of its own once it got to its end with nobody left who
   * could leave some wrong.
   */
  correction?: Correction
}

interface Correction {
  /** The table whose rows are corrected. */
  table: string
  run(context: CorrectionContext): Promise<void>
}

/** What a correction is handed. */
export interface CorrectionContext {
  /** A transaction where all is to be done in that one. */
  db: Kysely<unknown>
  dialect: Dialect
  /** The table of that name in a statement, with its schema. */
  placed(name: string): RawBuilder<unknown>
  /** Makes sure of a connection's session. */
  check(on: Kysely<unknown>): Promise<void>
  /** Hears how many rows have been dealt with. */
  tell(done: number): void
}

export interface TableIndex extends Index {
  table: string
  /**
   * On PostgreSQL alone: it takes the name of an earlier index of another form, which is called `…_old` until it is dropped. A
   * new name needs none of this.
   */
  replaces?: boolean
}

/** What the engine needs to be told at the end of a new table. */
export type TableSuffix = RawBuilder<unknown> | null

/** What is left to be made is for another transaction: this one holds a table that others wait for. */
export class NextTransaction extends Error {}

/** How the tables that grow with payments are made. */
export interface AgreedLayout {
  /** In how many partitions; 0 for none. */
  partitions: number
  /** Whether MariaDB compresses their pages. */
  compressed: boolean
}

/** What a migration is handed: names and column types differ from host to host. */
export interface MigrationContext extends AgreedLayout {
  db: Kysely<unknown>
  dialect: Dialect
  suffix: TableSuffix
  /** Where the tables are, as statements have to say that kysely does not write. */
  schema: string | undefined
  /** The full name of a table or an index. */
  named(name: string): string
  /** The columns of a table of that full name; none where it is not there. */
  columnsOf(table: string): Promise<string[]>
  /** Tables, by their full names, that have been made just now: nobody else has seen them yet. */
  made: Set<string>
  /**
   * Is told of each table, by its full name, before it is made or gets columns. Throws `NextTransaction` where this one holds
   * another that others are at.
   */
  begin?(table: string): void
  /** Hears of the indexes that a table is made with. */
  noteIndex?(index: TableIndex): void
}
