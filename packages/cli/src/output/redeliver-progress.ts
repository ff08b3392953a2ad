import type { RedeliverProgress } from '@tillkit/till'
import type { Surroundings } from '../program/surroundings.ts'
import { barFor } from './bar.ts'

/** Shows how many payments were looked at, on stderr: a bar for people, and nothing where nobody looks. */
export async function redeliverProgress(around: Surroundings): Promise<{
  tell: (progress: RedeliverProgress) => void
  stop: () => void
}> {
  const bar = await barFor(around, '{bar} {value} of {total} payments, {redelivered} to be sent again')
  let drawn = false
  return {
    tell({ done, total, redelivered }) {
      if (!drawn) bar?.start(total, done, { redelivered })
      drawn = true
      bar?.update(done, { redelivered })
    },
    stop() {
      if (drawn) bar?.stop()
    },
  }
}
