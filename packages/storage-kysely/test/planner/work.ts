import type { Statement } from './statements.ts'

/** What a statement cost an engine. */
interface Work {
  /** Rows and entries of indexes that were looked at. */
  touched: number
  /** Those that were answered, changed or counted. */
  answered: number
  /** How it went about it. */
  plan: string
}

export interface Meter {
  /** Runs the statement as the store would, counts its work, and takes back what it did. */
  measure(statement: Statement): Promise<Work>
  /** The milliseconds that it takes, the median of a few, and takes back what it did. */
  time(statement: Statement): Promise<number>
  close(): Promise<void>
}

/**
 * How a plan is made: for these values, or once for all; and in a session of a host's, or in one of Tillkit's own, where no table is
 * read whole if it can be helped. Only PostgreSQL knows the difference.
 */
export type PlanMode = 'custom' | 'generic' | 'custom, by index' | 'generic, by index'

const ROUNDS = 5

/** The median of the times that `work` takes after the first. */
export async function median(work: () => unknown): Promise<number> {
  const times: number[] = []
  for (let n = 0; n <= ROUNDS; n++) {
    const begin = performance.now()
    await work()
    if (n > 0) times.push(performance.now() - begin)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0
}

/** What a statement that counts has counted. */
export function totalOf(rows: Record<string, unknown>[]): number {
  return Math.max(0, ...rows.map(({ total }) => Number(total ?? 0)))
}
