import type { Surroundings } from '../program/surroundings.ts'

/** How far something is that goes through so many things. */
export interface CountProgress {
  step(): void
  done(): number
  stop(): void
}

/** A bar on stderr for people, and nothing for anybody else. */
export async function countProgress({ stderr }: Surroundings, total: number): Promise<CountProgress> {
  let done = 0
  if (!stderr.isTTY || total === 0) {
    return {
      step() {
        done += 1
      },
      done: () => done,
      stop() {},
    }
  }
  const { default: progressBars } = await import('cli-progress')
  const bar = new progressBars.SingleBar({
    stream: stderr,
    format: '{bar} {percentage}% {value} of {total}, {eta_formatted} left',
    hideCursor: true,
    clearOnComplete: true,
  })
  bar.start(total, 0)
  return {
    step() {
      done += 1
      if (done % 500 === 0) bar.update(done)
    },
    done: () => done,
    stop: () => bar.stop(),
  }
}
