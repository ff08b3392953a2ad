import type { Contender } from './contender.ts'
import { BIG, dateOf, SMALL, small } from './fill.ts'

/** One line of the table. */
export interface Operation {
  name: string
  /** How many are in flight at once. */
  lanes: number
  work(contender: Contender): () => Promise<unknown>
}

export function operations(count: number): Operation[] {
  const anyId = () => 1 + Math.floor(Math.random() * count)
  const [from, to] = [dateOf(Math.floor(count * 0.4)), dateOf(Math.floor(count * 0.9))]
  const deep = Math.min(20_000 * 50, Math.floor(count * 0.4))
  const pay = (merchantId: () => string) => (contender: Contender) => async () => {
    const owner = merchantId()
    await contender.complete(owner, await contender.start(owner))
  }
  return [
    { name: 'one payment by id', lanes: 32, work: c => () => c.byId(anyId()) },
    { name: 'page 1', lanes: 32, work: c => () => c.page(0) },
    {
      name: `page ${Math.floor(Math.min(20_000, count / 50 - 1))}`,
      lanes: 32,
      work: c => () => c.page(Math.min(20_000 * 50, count) - 50),
    },
    { name: 'half a year, page 1', lanes: 32, work: c => () => c.dates(from, to, 0) },
    {
      name: `half a year, page ${Math.floor(deep / 50)}`,
      lanes: 32,
      work: c => () => c.dates(from, to, deep),
    },
    { name: 'status=completed, page 1', lanes: 32, work: c => () => c.completed(0) },
    { name: 'userReference, page 1', lanes: 32, work: c => () => c.userReference(`user-${anyId() % 5000}`) },
    { name: 'a cash up’s payments, page 1', lanes: 32, work: c => () => c.period() },
    { name: 'start + complete, one merchant', lanes: 32, work: pay(() => BIG) },
    {
      name: 'start + complete, 99 merchants',
      lanes: 32,
      work: pay(() => small(Math.floor(Math.random() * SMALL))),
    },
  ]
}
