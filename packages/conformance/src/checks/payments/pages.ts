import type { Account } from '../../account/account.ts'
import { itemsOf, shown } from '../../rules/kinds.ts'
import { integer } from '../../rules/pages.ts'
import type { Check } from '../../session/check.ts'
import { NotTried } from '../../session/not-tried.ts'
import type { Session } from '../../session/session.ts'

interface Slice {
  page?: number
  perPage?: number
  offset?: number
}

/** Pages of a list of so many records: neighbours, edges, and what is past the end. */
function slicesOf(total: number): Slice[] {
  const last = (perPage: number, offset = 0) => Math.ceil(Math.max(total - offset, 0) / perPage)
  const slices: Slice[] = [
    {},
    { page: 1 },
    { perPage: 1 },
    { perPage: 100 },
    { offset: 1 },
    { page: 2, perPage: 3 },
    { page: 2, perPage: 2, offset: 1 },
    { page: 3, perPage: 1, offset: 2 },
    { page: 2, perPage: 50 },
    { offset: total },
    { offset: Math.max(total - 1, 0), perPage: 5 },
    { offset: total + 5, perPage: 5 },
    { page: 1_000_000, perPage: 100 },
    { page: 2, offset: total },
  ]
  for (const perPage of [1, 3, 50, 100]) {
    const end = last(perPage)
    for (const page of [end - 1, end, end + 1, end + 2]) if (page >= 1) slices.push({ page, perPage })
  }
  const end = last(2, 1)
  for (const page of [end, end + 1]) if (page >= 1) slices.push({ page, perPage: 2, offset: 1 })
  return slices
}

function queryOf(slice: Slice): string {
  return Object.entries(slice)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

/** Asks each slice of a list, whose records are known as far as `names` goes, newest first. */
async function trySlices(
  session: Session,
  path: string,
  base: string,
  total: number,
  names: unknown[],
  key: string,
) {
  const seen = new Set<string>()
  for (const slice of slicesOf(total)) {
    const query = [base, queryOf(slice)].filter(part => part !== '').join('&')
    if (seen.has(query)) continue
    seen.add(query)
    const answer = await session.get(path, query)
    if (!session.expectStatus(answer, 200, 'for a page, also past the end')) continue
    if (integer(answer, 'X-Total') !== total) {
      session.differ(
        `X-Total should be ${total}, as on other pages, and is ${shown(answer.header('X-Total'))}`,
        answer,
      )
    }
    const { page = 1, perPage = 50, offset = 0 } = slice
    const skip = offset + (page - 1) * perPage
    const expected = names.slice(skip, skip + perPage)
    const found = itemsOf(answer).map(item => item[key])
    if (skip + perPage <= names.length || names.length === total) {
      if (found.join() !== expected.join()) {
        session.differ(`expected ${shown(expected)}, got ${shown(found)}`, answer)
      }
    }
  }
}

/** API 4.1: pages of payments. */
export function paymentPages({ window }: Account): Check {
  return {
    name: 'pages-of-payments',
    section: '4.1',
    title: 'page, perPage and offset cut the list of payments',
    async run(session) {
      if (window === null) {
        await trySlices(session, '/payments', 'endDate=2000-01-01T00:00:00Z', 0, [], 'id')
        session.skip('there are no payments: only empty pages were tried')
        return
      }
      const { endDate, before, payments } = window
      const ids = payments.map(({ id }) => id)
      await trySlices(session, '/payments', `endDate=${endDate}`, before, ids, 'id')
      // As they are asked for most: what comes in meanwhile moves them by as many.
      for (const query of [undefined, 'page=2', 'perPage=1', 'page=2&perPage=1&offset=1']) {
        session.expectStatus(await session.get('/payments', query), 200)
      }
      const last = await session.get('/payments', `perPage=1&offset=${before - 1}&endDate=${endDate}`)
      const [oldest] = itemsOf(last)
      if (oldest?.id !== 1)
        session.differ(`the oldest payment should have the id 1, and has ${shown(oldest?.id)}`, last)
    },
  }
}

/** API 4.6: pages of cash ups. */
export function cashUpPages(): Check {
  return {
    name: 'pages-of-cash-ups',
    section: '4.6',
    title: 'page, perPage and offset cut the list of cash ups',
    async run(session) {
      const newest = await session.get('/cash_ups', 'perPage=100')
      const references = itemsOf(newest).map(({ reference }) => reference)
      const cashUpsTotal = integer(newest, 'X-Total') ?? 0
      await trySlices(session, '/cash_ups', '', cashUpsTotal, references, 'reference')
      if (cashUpsTotal === 0) session.skip('there are no cash ups: only empty pages were tried')
    },
  }
}

/** API 4.5: pages of a period. */
export function periodPages({ cashUps }: Account): Check {
  return {
    name: 'pages-of-a-period',
    section: '4.5',
    title: 'page, perPage and offset cut the payments of a cash up',
    async run(session) {
      for (const { reference } of cashUps.slice(0, 10)) {
        const path = `/payments/cash_ups/${reference}`
        const first = await session.get(path, 'perPage=100')
        const total = integer(first, 'X-Total') ?? 0
        if (first.status !== 200 || total < 2) continue
        const ids = itemsOf(first).map(({ id }) => id)
        return trySlices(session, path, '', total, ids, 'id')
      }
      throw new NotTried('among the newest cash ups there is none with two completed payments')
    },
  }
}
