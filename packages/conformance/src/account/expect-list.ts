import { itemsOf, shown } from '../rules/kinds.ts'
import { integer } from '../rules/pages.ts'
import type { Session } from '../session/session.ts'

/** Asks for a filtered list and holds it against the ids, newest first, that it should have in all. */
export async function expectList(session: Session, query: string, ids: readonly unknown[]): Promise<void> {
  const answer = await session.get('/payments', `${query}&perPage=100`)
  if (!session.expectStatus(answer, 200, 'for a filter')) return
  if (integer(answer, 'X-Total') !== ids.length) {
    session.differ(
      `X-Total should be ${ids.length}, counted from the unfiltered list, and is ${answer.header('X-Total')}`,
      answer,
    )
  }
  const found = itemsOf(answer).map(({ id }) => id)
  const expected = ids.slice(0, 100)
  if (found.join() !== expected.join()) session.differ(firstOther(expected, found), answer)
}

function firstOther(expected: readonly unknown[], found: readonly unknown[]): string {
  const missing = expected.find(id => !found.includes(id))
  if (missing !== undefined) return `payment ${missing} is missing`
  const more = found.find(id => !expected.includes(id))
  if (more !== undefined) return `payment ${more} should not be there`
  return `expected the payments ${shown(expected)}, got ${shown(found)}`
}
