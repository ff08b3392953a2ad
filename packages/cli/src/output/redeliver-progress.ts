import type { RedeliverProgress } from '@tillkit/till'
import type { Surroundings } from '../program/surroundings.ts'

/** Shows how many payments were looked at, on stderr: a bar for people, and nothing where nobody looks. */
export async function redeliverProgress({ stderr }: Surroundings): Promise<{
  tell: (progress: RedeliverProgress) => void
  stop: () => void
}> {
  if (!stderr.isTTY) return { tell() {}, stop() {} }
  const { default: progressBars } = await import('cli-progress')
  const bar = new progressBars.SingleBar({
    stream: stderr,
    format: '{bar} {value} of {total} payments, {redelivered} to be sent again',
    hideCursor: true,
    clearOnComplete: true,
  })
  let drawn = false
  return {
    tell({ done, total, redelivered }) {
      if (!drawn) bar.start(total, done, { redelivered })
      drawn = true
      bar.update(done, { redelivered })
    },
    stop() {
      if (drawn) bar.stop()
    },
  }
}
