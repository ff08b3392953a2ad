/** For how many milliseconds an answer is as good as a new one: however many readers there are, it is asked so often. */
const FRESH = 10_000

/** For how long a reader waits for a new one. */
const PATIENCE = 1000

/** For how long an old one is better than none. */
const STALE = 60_000

/**
 * What `ask` answered last. Nobody waits for it for long, and it is never asked twice at once: while it does not answer, the
 * one before is given, and null once that is too old.
 */
export function keptAnswer<Answer>(
  ask: () => Promise<Answer>,
  onError: (error: unknown) => void,
): () => Promise<Answer | null> {
  let kept: { answer: Answer; at: number } | null = null
  let asking: Promise<void> | null = null

  const renew = async () => {
    try {
      const answer = await ask()
      kept = { answer, at: performance.now() }
    } catch (error) {
      onError(error)
    } finally {
      asking = null
    }
  }

  return async () => {
    if (kept === null || performance.now() - kept.at > FRESH) {
      asking ??= renew()
      await Promise.race([asking, patience()])
    }
    return kept !== null && performance.now() - kept.at < STALE ? kept.answer : null
  }
}

function patience(): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, PATIENCE).unref()
  })
}
