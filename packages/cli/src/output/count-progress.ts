import type { Surroundings } from '../program/surroundings.ts'
import { barFor } from './bar.ts'

/** How far something is that goes through so many things. */
export interface CountProgress {
  step(): void
  done(): number
  stop(): void
}

/** A bar on stderr for people, and nothing for anybody else. */
export async function countProgress(around: Surroundings, total: number): Promise<CountProgress> {
  const bar =
    total === 0 ? null : await barFor(around, '{bar} {percentage}% {value} of {total}, {eta_formatted} left')
  let done = 0
  bar?.start(total, 0)
  return {
    step() {
      done += 1
      if (done % 500 === 0) bar?.update(done)
    },
    done: () => done,
    stop: () => bar?.stop(),
  }
}
