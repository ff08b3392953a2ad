import { setTimeout as sleep } from 'node:timers/promises'

/** Asks again and again, until it is so. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20)
}
