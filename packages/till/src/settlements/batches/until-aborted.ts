/** What a source gives, however long it takes: where the signal comes first, the source is told to end, and not waited for. */
export async function* untilAborted<Row>(
  source: Iterable<Row> | AsyncIterable<Row>,
  signal: AbortSignal,
): AsyncGenerator<Row> {
  // Nothing is waited for there.
  if (!(Symbol.asyncIterator in source)) return yield* source
  const rows = source[Symbol.asyncIterator]()
  let giveUp: (reason: unknown) => void = () => {}
  const abort = () => giveUp(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    for (;;) {
      signal.throwIfAborted()
      // A race with one promise for all rows would hold each of them until the end.
      const next = await new Promise<IteratorResult<Row>>((resolve, reject) => {
        giveUp = reject
        rows.next().then(resolve, reject)
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', abort)
    const ended = (async () => rows.return?.())().catch(() => {})
    if (!signal.aborted) await ended
  }
}

/** What `answer` gives; where the signal comes first its reason is thrown, and the answer is not waited for. */
export async function unlessAborted<Answer>(
  answer: Answer | PromiseLike<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  const { promise: over, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([answer, over])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
