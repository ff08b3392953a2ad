import type { Contender } from './contender.ts'
import { compare } from './measure.ts'

/** Payments of the smaller one of two merchants. */
export const FEW = 1000

/** Asks for totals by status until full blocks have been counted, as readers have them counted. */
export async function countAhead(contender: Contender, isCounted: () => Promise<boolean>): Promise<void> {
  while (!(await isCounted())) await contender.completed(0)
}

/** How many times as long a total by status takes with many payments, in turns with the same over few. */
export async function growthOf(few: Contender, many: Contender, lanes: number): Promise<number> {
  const { ratio } = await compare(
    () => few.completed(0),
    () => many.completed(0),
    lanes,
  )
  return ratio
}

/** True where all full blocks but the last, in which payments are pending, have been counted. */
export function isLastBlock(id: number, count: number): boolean {
  return id > count - 2 * 1024 || count < 2 * 1024
}
