/** How something is: in few words, which tell a stranger nothing. */
export interface State {
  ok: boolean
  state: string
}

/** For how long, in milliseconds, what a look found is told to whoever asks. */
const FRESH = 1000
/** How long a look is waited for. */
const PATIENCE = 1000
/** After how long without an answer another look is begun beside it. */
const GIVEN_UP = 30_000

const LATE = Symbol('late')

/**
 * One look for all who ask within a second, however many they are, and no second look while the first goes on: what is slow
 * is not made slower. `look` may take a second; then, and where it throws, the answer is `without`'s, which is handed the
 * error, or nothing where there was no answer.
 */
export function sharedLook<Found>(
  look: () => Found | Promise<Found>,
  without: (error: unknown) => Found,
): () => Promise<Found> {
  let began = Number.NEGATIVE_INFINITY
  let open: Promise<unknown> | undefined
  let answer: Promise<Found> | undefined

  const lookAnew = async (): Promise<Found> => {
    const looking = (async () => look())()
    open = looking
    const over = () => {
      if (open === looking) open = undefined
    }
    looking.then(over, over)
    try {
      const found = await Promise.race([looking, late()])
      return found === LATE ? without(undefined) : (found as Found)
    } catch (error) {
      return without(error ?? new Error('failed'))
    }
  }

  return () => {
    const now = performance.now()
    const age = now - began
    if (answer && age < (open ? GIVEN_UP : FRESH)) return answer
    began = now
    answer = lookAnew()
    return answer
  }
}

/** What has arrived while this process stood still is read before it counts as late. */
function late(): Promise<typeof LATE> {
  return new Promise(resolve => {
    setTimeout(() => setImmediate(() => resolve(LATE)), PATIENCE).unref()
  })
}
