/** Runs one piece of work after another, in the order in which it is handed over. What fails keeps nobody back. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>

/** A line of its own. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
}
