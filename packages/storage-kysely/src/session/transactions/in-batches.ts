import { contextOfCaller, type Resume } from '../../channels/in-context.ts'

/** How many go into one batch at most. */
const MOST = 200

/** How long a batch waits for the locks of others: among ourselves none is held for longer. In milliseconds. */
export const BATCH_LOCK_WAIT = 100

interface Waiting<Item, Answer> {
  item: Item
  resume: Resume
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/** What is done with items. */
export interface BatchWork<Item, Answer> {
  /** All of them, or none; undefined for those that may have to wait for others. */
  together(items: Item[]): Promise<(Answer | undefined)[]>
  /** Those that nothing else keeps waiting; undefined for the others. */
  passing(items: Item[]): Promise<(Answer | undefined)[]>
  alone(item: Item): Promise<Answer>
  /** True for an error that no single item can have caused. */
  isOfAll(error: unknown): boolean
}

/**
 * Items that come while a batch is being worked on make up the next one, so that under load many share a round trip and
 * alone none waits. A batch that fails is worked on again, passing by what others hold; and what is left of it one by one,
 * beside the batches that come after, so that each is answered for itself and holds up no other. Unless it failed for
 * all: then one by one they would wait in vain, each as long as the batch did.
 */
export function inBatches<Item, Answer>(work: BatchWork<Item, Answer>): (item: Item) => Promise<Answer> {
  const waiting: Waiting<Item, Answer>[] = []
  let running = false

  const answer = async (batch: Waiting<Item, Answer>[]) => {
    const items = batch.map(({ item }) => item)
    const answers = await work.together(items).catch(error => {
      if (work.isOfAll(error) || batch.length === 1) throw error
      return work.passing(items)
    })
    for (const [n, one] of batch.entries()) {
      const answer = answers[n]
      if (answer === undefined) answerAlone(one)
      else one.resolve(answer)
    }
  }

  const answerAlone = ({ item, resume, resolve, reject }: Waiting<Item, Answer>) => {
    const answer = resume ? resume(() => work.alone(item)) : work.alone(item)
    answer.then(resolve, reject)
  }

  const answerOrReject = (batch: Waiting<Item, Answer>[], { resume }: Waiting<Item, Answer>) =>
    (resume ? resume(() => answer(batch)) : answer(batch)).catch(error => {
      const isOfAll = work.isOfAll(error)
      for (const one of batch) {
        if (isOfAll) one.reject(error)
        else answerAlone(one)
      }
    })

  const drain = async () => {
    running = true
    // What is asked for in the same turn of the event loop belongs together.
    await Promise.resolve()
    for (let [first] = waiting; first; [first] = waiting) await answerOrReject(waiting.splice(0, MOST), first)
    running = false
  }

  return item =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resume: contextOfCaller(), resolve, reject })
      if (!running) void drain()
    })
}
