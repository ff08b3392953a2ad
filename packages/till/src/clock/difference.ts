import type { Logger } from '../logging/logger.ts'
import type { Sample } from './sample.ts'

/** From so many milliseconds on a difference is warned of, and below the second it is over. */
export const WRONG = 2000
const RIGHT = 1000

/** Says once when this machine's clock is wrong by the storage's, with both times, and once when it is right again. */
export function watchDifference(logger: Logger): (sample: Sample) => void {
  let isWrong = false
  return sample => {
    const { earliest, answered } = sample
    const { wall } = answered
    const ahead = aheadOf(sample)
    const times = {
      machine: textOf(wall),
      storage: textOf(earliest),
      seconds: Math.round(ahead / 100) / 10,
    }
    if (!isWrong && Math.abs(ahead) > WRONG) {
      isWrong = true
      logger.warn(times, "this machine's clock is wrong: the till goes by the storage's")
    } else if (isWrong && Math.abs(ahead) < RIGHT) {
      isWrong = false
      logger.info(times, "this machine's clock is right again")
    }
  }
}

/** By how many milliseconds this machine's clock is ahead of the storage's, at least; negative where it is behind. */
export function aheadOf({ earliest, roundTrip, answered: { wall } }: Sample): number {
  const latest = earliest + (Number.isFinite(roundTrip) ? roundTrip : 0)
  return wall > latest ? wall - latest : Math.min(wall - earliest, 0)
}

function textOf(time: number): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? 'no time' : date.toISOString()
}
