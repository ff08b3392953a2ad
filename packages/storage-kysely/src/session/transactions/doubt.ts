import type { CommitUnknownError } from '@tillkit/storage'
import { isOfEngine } from '../../faults/fault-of.ts'

/** What is known of a write whose tries may have taken place unanswered. */
export interface Doubt {
  /** That of the last of such tries. */
  unknown?: CommitUnknownError | undefined
}

/** What to throw in the place of what a later step ended in: that a database refuses this one says nothing of the try before. */
export const ofDoubt = ({ unknown }: Doubt, error: unknown): unknown =>
  unknown && isOfEngine(error) ? unknown : error

/** What `ask` comes to, which is done with what was found done. */
export async function inDoubt<Result>(doubt: Doubt, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    throw ofDoubt(doubt, error)
  }
}
