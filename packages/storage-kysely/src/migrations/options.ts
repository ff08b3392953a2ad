import type { Dialect } from '../dialects/index.ts'
import { assertOptions, kindOf, refuse } from '../schema/invalid-input.ts'
import { type Layout, layoutOf } from './tables/layout.ts'

/** How new tables are laid out, and how those that are there are brought up to date. */
export interface MigrateOptions extends Layout {
  /**
   * Hears what is being done, here or by another process: when it begins and ends, and about every second in between. What it
   * throws is passed over.
   */
  onProgress?: ((progress: MigrationProgress) => void) | undefined
  /**
   * False to leave indexes that this version reads by no more, for as long as processes of the version before are beside: they would
   * be slow without. The next call without it drops them, and sets right what those processes have left out of totals that they know
   * nothing of. True says that none of them runs any more, and is taken at its
   * word from the second call on, since the first may be a new process's beside old ones. Left out it is as true, but that those totals are set right by each call
   * until a day after the tables were made for them: processes may still be being replaced.
   */
  contract?: boolean | undefined
}

/** A part of a migration. */
export interface MigrationStep {
  /** Its name, such as `0004-walks`. */
  migration: string
  /**
   * New tables and columns, which take a moment, or an index that is built, given another name, or dropped, or rows that are
   * set right.
   */
  step: 'tables' | 'build' | 'rename' | 'drop' | 'correct'
  /** The full name of the table; null for the step `tables`. */
  table: string | null
  /** The full name of the index; null for the steps `tables` and `correct`. */
  index: string | null
}

/** What a migration is at. */
export interface MigrationProgress extends MigrationStep {
  /** What the engine says that it is doing, in its own words; null where it does not say. */
  phase: string | null
  /** How much of the phase is done, in a unit of the engine's own: blocks, rows, percent. */
  done: number
  /** How much there is to do in it, in the same unit; 0 where that is not known. */
  total: number
}

type Tell = (progress: MigrationProgress) => void

/** What `migrate` was asked for. */
export interface Asked {
  tell: Tell
  contract: boolean
  /** Whether it was said that no process of the version before runs. */
  alone: boolean
  layout: Layout
}

/** `options` without those of `migrate`, and those. */
export function splitMigrateOptions<Options extends MigrateOptions>(
  options: Options,
): { asked: MigrateOptions; rest: Omit<Options, keyof MigrateOptions> } {
  // What is no object is refused as names.
  if (typeof options !== 'object' || options === null) return { asked: {}, rest: options }
  const { partitions, compressed, onProgress, contract, ...rest } = options
  return { asked: { partitions, compressed, onProgress, contract }, rest }
}

/** The options with their defaults. Throws `TillError` that names the one that is wrong. */
export function askedOf(options: MigrateOptions, dialect: Pick<Dialect, 'name'>): Asked {
  assertOptions(options, 'migrate', ['partitions', 'compressed', 'onProgress', 'contract'])
  const { onProgress = () => {}, contract = true } = options
  if (typeof onProgress !== 'function') refuse(`onProgress must be a function, not ${kindOf(onProgress)}`)
  if (typeof contract !== 'boolean') refuse(`contract must be true or false, not ${kindOf(contract)}`)
  const tell = (progress: MigrationProgress) => {
    // A promise of it that rejects would end the process in the middle of a migration.
    try {
      Promise.resolve(onProgress(progress)).catch(() => {})
    } catch {}
  }
  return { tell, contract, alone: options.contract === true, layout: layoutOf(options, dialect) }
}
