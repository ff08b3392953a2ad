import type { Account } from '../../account/account.ts'
import { isObject, shown } from '../../rules/kinds.ts'
import { EXACT } from '../../rules/order.ts'
import type { Check } from '../../session/check.ts'
import type { Session } from '../../session/session.ts'

const encode = encodeURIComponent
const DATE = '2026-11-20T09:30:00Z'

/** Each parameter with what it may not be. */
const PAGES: Record<string, string[]> = {
  page: ['0', '-1', '1.5', 'x', '', '1e2', '%2B1', '0x1', '1%20', '99999999999999999999', '%EF%BC%91'],
  perPage: ['0', '-1', '101', '1000', '1.0', 'x', ''],
  offset: ['-1', '0.5', 'x', '', '1e2'],
}
const NO_DATES = [
  'yesterday',
  '',
  '2026-11-20',
  '2026-11-20T09:30:00',
  '2026-11-20%2009:30:00Z',
  '2026-13-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-11-20T25:00:00Z',
  '1795197600',
  '1795197600000',
  '20261120T093000Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20T09:30:60Z',
  '2026-11-20T09:30:00%2B25:00',
]
const FILTERS: Record<string, string[]> = {
  status: [
    'x',
    '',
    'COMPLETED',
    'completed,',
    ',completed',
    'completed,,error',
    'completed,x',
    'completed;error',
    'completed,%20error',
    'completed,+error',
  ],
  startDate: NO_DATES,
  endDate: NO_DATES,
  ...Object.fromEntries(EXACT.map(name => [name, ['']])),
}
/** Of each, one that would be right, to be given twice. */
const RIGHT: Record<string, string> = {
  page: '1',
  perPage: '10',
  offset: '0',
  status: 'completed',
  startDate: DATE,
  endDate: DATE,
  ...Object.fromEntries(EXACT.map(name => [name, 'x'])),
}

async function refuses(session: Session, path: string, name: string, query: string): Promise<void> {
  const answer = await session.get(path, query)
  if (!session.expectStatus(answer, 400, `for ${name}`)) return
  const message = isObject(answer.json) ? String(answer.json.message) : ''
  const word = session.instance.words.name(name)
  if (!message.includes(word))
    session.differ(`the message should name ${word}, and is ${shown(message)}`, answer)
}

/** API 4.1 and 4.2: what a parameter may not be. */
export function invalidParameters(account: Account): Check {
  return {
    name: 'invalid-parameters',
    section: '4.2',
    title: 'a parameter that is wrong, empty or given twice is 400, and the message names it',
    async run(session) {
      for (const [name, values] of Object.entries({ ...PAGES, ...FILTERS })) {
        for (const value of values) await refuses(session, '/payments', name, `${name}=${value}`)
        const right = `${name}=${RIGHT[name]}`
        await refuses(session, '/payments', name, `${right}&${right}`)
        await refuses(session, '/payments', name, name)
      }
      await refuses(session, '/payments', 'perPage', 'page=1&status=completed&perPage=0')
      const lists = [
        '/cash_ups',
        ...account.cashUps.slice(-1).map(({ reference }) => `/payments/cash_ups/${reference}`),
      ]
      for (const path of lists) {
        for (const name of Object.keys(PAGES)) {
          for (const value of PAGES[name]?.slice(0, 5) ?? [])
            await refuses(session, path, name, `${name}=${value}`)
        }
        await refuses(session, path, 'page', 'page=1&page=1')
        await refuses(session, path, 'perPage', 'perPage=101')
      }
    },
  }
}

/** API 1.1: parameters that are not described. */
export function unknownParameters(account: Account): Check {
  return {
    name: 'unknown-parameters',
    section: '1.1',
    title: 'parameters that are not described are ignored',
    async run(session) {
      const { endDate } = account.window ?? { endDate: DATE }
      const queries = [
        'foo=1',
        'foo=1&foo=2',
        'foo',
        'foo=',
        'PAGE=0',
        'perpage=0',
        'Status=x',
        '__proto__=1',
        'constructor=x',
        'id=1',
        `${encode('päge')}=0`,
        'page%5B%5D=2',
      ]
      const plain = await session.get('/payments', `endDate=${endDate}&perPage=3`)
      for (const query of queries) {
        const answer = await session.get('/payments', `endDate=${endDate}&perPage=3&${query}`)
        if (!session.expectStatus(answer, 200, 'for a parameter that is not described')) continue
        if (answer.text !== plain.text) session.differ('another answer than without the parameter', answer)
        if (answer.header('x-total') !== plain.header('x-total')) session.differ('another X-Total', answer)
      }
      session.expectStatus(
        await session.get('/cash_ups', 'status=x&startDate=x'),
        200,
        'for filters of payments',
      )
      const [newest] = account.cashUps
      if (newest) {
        const path = `/payments/cash_ups/${newest.reference}`
        const period = await session.get(path, 'perPage=3')
        const filtered = await session.get(path, 'perPage=3&status=x&startDate=x&scanCode=')
        if (filtered.status !== period.status || filtered.text !== period.text)
          session.differ('filters of payments change what a cash up lists', filtered)
      }
      if (account.total > 0) {
        session.expectStatus(
          await session.get('/payments/1', 'page=0&status=x'),
          200,
          'for parameters of lists',
        )
      }
    },
  }
}
