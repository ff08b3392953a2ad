import type { MigrationProgress, MigrationStep } from '@tillkit/storage-kysely'
import type { Surroundings } from '../program/surroundings.ts'
import { barFor } from './bar.ts'
import { inOneLine } from './shown.ts'

/** Shows how far a migration is, on stderr: a bar for people, else a line when another step begins. */
export async function migrationProgress(around: Surroundings): Promise<{
  tell: (progress: MigrationProgress) => void
  stop: () => void
}> {
  let at = ''
  const lines = (progress: MigrationProgress) => {
    const step = nameOf(progress)
    if (step !== at) around.stderr.write(`${step}\n`)
    at = step
  }
  const bar = await barFor(around, '{bar} {percentage}% {step}')
  if (bar === null) return { tell: lines, stop() {} }

  let drawn = false
  return {
    tell(progress) {
      const step = nameOf(progress)
      // Where the engine does not say how much there is, a line is all that can be told.
      if (progress.total <= 0) {
        if (!drawn) lines(progress)
        return
      }
      if (!drawn) bar.start(progress.total, progress.done, { step })
      drawn = true
      bar.setTotal(progress.total)
      bar.update(progress.done, { step })
    },
    stop() {
      if (drawn) bar.stop()
    },
  }
}

/** What a step is called, and what the engine is at in it. */
export function nameOf({
  migration,
  step,
  index,
  phase = null,
}: MigrationStep & Partial<MigrationProgress>): string {
  const what = index === null ? step : `${step} ${index}`
  return inOneLine(`${migration}: ${what}${phase ? `, ${phase}` : ''}`)
}
