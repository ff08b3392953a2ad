import type { Dialect } from '../../dialects/dialect.ts'

/** Does what waits for locks no longer than it was told; where that was too long, what passes by what is locked. */
export async function unlessLocked(
  { isLockWait }: Dialect,
  waiting: () => Promise<unknown>,
  passing: () => Promise<unknown>,
): Promise<void> {
  await waiting().catch(error => {
    if (!isLockWait(error.cause ?? error)) throw error
    return passing()
  })
}
