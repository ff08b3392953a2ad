import type { ImportProgress } from '@tillkit/till'
import type { Surroundings } from '../program/surroundings.ts'
import { barFor } from './bar.ts'

/** A file of which more and more has been read. */
interface Reading {
  /** How many bytes of it have been read. */
  bytesRead: number
}

/** Shows how much of a file of `size` bytes was read, and what came of it, on stderr: a bar for people, and nothing where nobody looks. */
export async function importProgress(
  around: Surroundings,
  file: Reading,
  size: number,
): Promise<{ tell: (progress: ImportProgress) => void; stop: () => void }> {
  const bar = await barFor(around, '{bar} {percentage}% {rows} rows, {settled} settled, {differences} differ')
  let drawn = false
  return {
    tell(progress) {
      if (!drawn) bar?.start(Math.max(size, 1), file.bytesRead, progress)
      drawn = true
      bar?.update(file.bytesRead, progress)
    },
    stop() {
      if (drawn) bar?.stop()
    },
  }
}
