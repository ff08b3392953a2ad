/** How many go into one batch at most. */
const MOST = 200

interface Waiting<Item, Answer> {
  item: Item
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * Items that come while a batch is being worked on make up the next one, so that under load many share a round trip and
 * alone none waits. A batch that fails is worked on again one by one, so that each is answered for itself, unless it failed
 * for all: then one by one they would wait in vain, each as long as the batch did.
 *
 * @param isOfAll - true for an error that no single item can have caused.
 */
export function inBatches<Item, Answer>(
  work: (items: Item[]) => Promise<Answer[]>,
  isOfAll: (error: unknown) => boolean,
): (item: Item) => Promise<Answer> {
  const waiting: Waiting<Item, Answer>[] = []
  let running = false

  const answer = async (batch: Waiting<Item, Answer>[]) => {
    try {
      const answers = await work(batch.map(({ item }) => item))
      for (const [n, { resolve }] of batch.entries()) resolve(answers[n] as Answer)
    } catch (error) {
      if (batch.length === 1 || isOfAll(error)) for (const { reject } of batch) reject(error)
      else for (const one of batch) await answer([one])
    }
  }

  const drain = async () => {
    running = true
    // What is asked for in the same turn of the event loop belongs together.
    await Promise.resolve()
    while (waiting.length > 0) await answer(waiting.splice(0, MOST))
    running = false
  }

  return item =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!running) void drain()
    })
}
