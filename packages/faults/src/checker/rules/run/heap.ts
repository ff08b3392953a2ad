import { entriesOf, type Rule } from '../../rule.ts'

/** How much more the heap may hold in the last quarter of a run than in the first, in bytes. */
const HEAP_MARGIN = 8 * 1024 * 1024

/** The heap does not grow: its median of the last quarter is not above that of the first by more than the margin. */
export const heap: Rule = function* (books) {
  for (const [process, entries] of Map.groupBy(entriesOf(books, 'heap'), entry => entry.process)) {
    const samples = entries.map(({ bytes }) => bytes)
    const quarter = Math.floor(samples.length / 4)
    if (quarter === 0) continue
    const [first, last] = [median(samples.slice(0, quarter)), median(samples.slice(-quarter))]
    if (last > first + HEAP_MARGIN)
      yield `the heap of ${process} grew from ${megabytes(first)} to ${megabytes(last)}`
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}
