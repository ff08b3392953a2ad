import type { Journal } from '../journal/journal.ts'

/** Writes down what the heap holds, after everything that can be collected was, once in so many calls. */
export function heapSamples(journal: Journal, process: string, every: number | null): () => void {
  let calls = 0
  return () => {
    calls += 1
    if (every === null || calls % every !== 0) return
    globalThis.gc?.()
    journal.write({ what: 'heap', process, bytes: memory() })
  }
}

const memory = () => process.memoryUsage().heapUsed
