import type { Change } from '../indexes/plan.ts'
import { progressOf, type Run } from './run.ts'

/** How far a step has come, in a unit of the engine's own. */
export interface Place {
  phase: string
  done: number
  total: number
}

/** How often it is asked how far a step has come, in milliseconds. */
const EVERY = 1000

/** Does the work of a step, and tells when it begins and ends and how far it has come, as far as `whereItIs` can say. */
export async function watching(
  run: Run,
  step: Change,
  whereItIs: () => Promise<Place | undefined>,
  work: () => Promise<unknown>,
): Promise<void> {
  let over = false
  let asking = false
  run.tell(progressOf(run, step))
  const ask = async () => {
    // With one connection the answer comes when the work is done.
    if (asking) return
    asking = true
    const at = await whereItIs().catch(() => undefined)
    asking = false
    if (at && !over) run.tell(progressOf(run, step, at))
  }
  const timer = setInterval(ask, EVERY)
  try {
    await work()
  } finally {
    over = true
    clearInterval(timer)
  }
  run.tell(progressOf(run, step, { phase: null, done: 1, total: 1 }))
}
