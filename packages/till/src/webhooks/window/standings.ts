import type { Standing } from './shares.ts'

/** What is known of a merchant at an origin: how it stands, and how many it may have in flight. */
export interface Known {
  standing: Standing
  allowance: number
}

/** How many merchants' standing is remembered while nothing is due for them. */
const MOST = 10_000

/** The standing of merchants that nothing waits for, the latest ones. */
export function createStandings(): {
  remember(name: string, known: Known): void
  /** What was remembered last, or undefined. */
  recall(name: string): Known | undefined
} {
  const known = new Map<string, Known>()
  return {
    remember(name, { standing, allowance }) {
      known.delete(name)
      known.set(name, { standing, allowance })
      const [oldest] = known.keys()
      if (known.size > MOST && oldest !== undefined) known.delete(oldest)
    },
    recall: name => known.get(name),
  }
}
