import type { SingleBar } from 'cli-progress'
import type { Surroundings } from '../program/surroundings.ts'

/** A progress bar on stderr, not begun yet, for people; null where nobody looks. */
export async function barFor({ stderr }: Surroundings, format: string): Promise<SingleBar | null> {
  if (!stderr.isTTY) return null
  const { default: progressBars } = await import('cli-progress')
  return new progressBars.SingleBar({ stream: stderr, format, hideCursor: true, clearOnComplete: true })
}
