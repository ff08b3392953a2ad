import type { Account } from '../account/account.ts'
import type { Question } from '../network/question.ts'
import { EXACT } from '../rules/order.ts'
import type { Check } from '../session/check.ts'
import type { Session } from '../session/session.ts'
import { answersDiffer } from './answers.ts'

const encode = encodeURIComponent
const get = (path: string, query?: string): Question => ({ path, ...(query !== undefined && { query }) })

/** What both instances are asked, by the section of docs/api.md that it is about. */
function questionsOf({
  window,
  cashUps,
}: Account): [name: string, section: string, title: string, questions: Question[]][] {
  const payments = window?.payments ?? []
  const base = window?.query ?? 'endDate=2000-01-01T00:00:00Z'
  const values = (name: string) =>
    [...new Set(payments.map(payment => payment[name]))]
      .filter(value => typeof value === 'string')
      .slice(0, 3) as string[]
  const some = [0, 1, 2, Math.floor(payments.length / 2), payments.length - 1].map(i => payments[i]?.id)
  const ids = new Set([
    ...some,
    1,
    ...['completed', 'error', 'pending'].map(s => payments.find(p => p.status === s)?.id),
  ])
  const dates = [...new Set(payments.map(({ date }) => date))]
  const middle = dates[Math.floor(dates.length / 2)]
  return [
    [
      'compare-pages',
      '4.1',
      'pages of payments',
      [
        ...[1, 2, 3, 4, 5].map(page => get('/payments', `${base}&perPage=100&page=${page}`)),
        ...['', '&page=2', '&perPage=3&page=2&offset=1', '&page=100000', '&offset=100000000'].map(slice =>
          get('/payments', `${base}${slice}`),
        ),
      ],
    ],
    [
      'compare-filters',
      '4.2',
      'filters',
      [
        ...['completed', 'error', 'pending', 'completed,error', 'pending,error'].map(status =>
          get('/payments', `${base}&status=${status}`),
        ),
        ...EXACT.flatMap(name =>
          [...values(name), 'no-such-value'].map(value =>
            get('/payments', `${base}&${name}=${encode(value)}`),
          ),
        ),
        ...(middle === undefined
          ? []
          : [
              get('/payments', `startDate=${middle}&endDate=${window?.endDate}`),
              get('/payments', `endDate=${middle}`),
            ]),
      ],
    ],
    [
      'compare-payments',
      '4.3',
      'payments by id',
      [...ids].filter(id => id !== undefined).map(id => get(`/payments/${id}`)),
    ],
    [
      'compare-periods',
      '4.5',
      'payments of cash ups',
      cashUps.slice(0, 5).map(({ reference }) => get(`/payments/cash_ups/${reference}`, 'perPage=100')),
    ],
    ['compare-cash-ups', '4.6', 'cash ups', [get('/cash_ups'), get('/cash_ups', 'perPage=2&page=2')]],
    [
      'compare-refusals',
      '7.1',
      'what is refused',
      [
        ...['page=0', 'perPage=101', 'offset=-1', 'status=x', 'startDate=yesterday', 'scanCode='].map(query =>
          get('/payments', query),
        ),
        get('/payments/0'),
        get('/payments/9007199254740991'),
        get(`/payments/cash_ups/${'0'.repeat(32)}`),
        get('/nowhere'),
        { path: '/payments', credentials: 'none' },
        { path: '/nowhere', credentials: 'none' },
      ],
    ],
    [
      'compare-heads',
      '1.1',
      'HEAD, and a slash at the end',
      [{ path: '/payments', query: base, method: 'HEAD' }, get('/payments/', base)],
    ],
  ]
}

/** A check for each kind of question: both are asked, and the answers held against each other. */
export function comparisons(account: Account, other: Session, onCheck?: (title: string) => void): Check[] {
  return questionsOf(account).map(([name, section, title, questions]) => ({
    name,
    section,
    title,
    async run(session) {
      onCheck?.(title)
      for (const question of questions) {
        const [ours, theirs] = await Promise.all([session.ask(question), other.ask(question)])
        for (const what of answersDiffer(ours, theirs)) {
          session.differ(what, { curl: `${ours.curl}\n    ${theirs.curl}` })
        }
      }
    },
  }))
}
