import type { Account } from '../../account/account.ts'
import type { SeenPayment } from '../../account/seen.ts'
import type { Window } from '../../account/window.ts'
import { itemsOf, shown } from '../../rules/kinds.ts'
import { integer } from '../../rules/pages.ts'
import type { Check } from '../../session/check.ts'
import { NotTried } from '../../session/not-tried.ts'
import type { Session } from '../../session/session.ts'

const FIFTEEN = ['isVoucher', 'isVoucherRedemption']
/** Keys of which one payment, by its id, and a list show the same. */
const CHANGING = ['status', 'statementReference']

/** API 4.3: one payment is what the list shows of it. */
export function onePayment({ window }: Account): Check {
  return {
    name: 'one-payment',
    section: '4.3',
    title: 'one payment by its id is the one of the list',
    async run(session) {
      if (window === null) throw new NotTried('there are no payments')
      for (const listed of someOf(window.payments)) {
        const answer = await session.get(`/payments/${listed.id}`)
        if (!session.expectStatus(answer, 200, 'for a payment of the list')) continue
        const found = (answer.json ?? {}) as Record<string, unknown>
        for (const [key, value] of Object.entries(listed)) {
          if (key === 'deviceSerialNumber' || key === 'transactionType') continue
          const settled = CHANGING.includes(key) && (listed.status === 'pending' || value === null)
          if (!settled && JSON.stringify(found[key]) !== JSON.stringify(value)) {
            session.differ(`${key} is ${shown(found[key])}, in the list ${shown(value)}`, answer)
          }
        }
        for (const key of FIFTEEN) if (!(key in found)) session.differ(`${key} is missing`, answer)
      }
      const first = await session.get('/payments/1')
      if (session.expectStatus(first, 200, 'for the first payment')) {
        const { id } = (first.json ?? {}) as Record<string, unknown>
        if (id !== 1) session.differ(`the id should be 1, and is ${shown(id)}`, first)
      }
      const oldest = await session.get(
        '/payments',
        `endDate=${window.endDate}&perPage=1&page=${window.before}`,
      )
      const [last] = itemsOf(oldest)
      if (last?.id !== 1)
        session.differ(`the last payment should have the id 1, and has ${shown(last?.id)}`, oldest)
    },
  }
}

/** The ends, the middle, and one of each status and of each way of being filled in. */
function someOf(payments: SeenPayment[]): SeenPayment[] {
  const full = [
    'tipAmount',
    'userReference',
    'statementReference',
    'requiredAmount',
    'merchantReference',
    'authCode',
  ]
  const some = [
    payments[0],
    payments.at(-1),
    payments[Math.floor(payments.length / 2)],
    ...['completed', 'error', 'pending'].map(status => payments.find(payment => payment.status === status)),
    ...full.map(key => payments.find(payment => payment[key] !== null)),
    payments.find(({ extra }) => Object.keys(extra ?? {}).length > 0),
    payments.find(({ isVoucher }) => isVoucher === true),
    payments.find(({ isVoucherRedemption }) => isVoucherRedemption === true),
  ]
  return [...new Set(some.filter(payment => payment !== undefined))]
}

/** API 4.3: ids that nothing has, or that are none. */
export const unknownPayments = ({ window }: Account): Check => ({
  name: 'unknown-payments',
  section: '4.3',
  title: 'an id that there is not, or that is no positive integer in plain digits, is 404',
  async run(session) {
    const ids = ['0', '-1', '1.0', '1.5', '01', '1e0', 'x', '%2B1', '1%20', '0x1', 'null', '%EF%BC%91']
    const unknown = ['9007199254740991', '9007199254740993', '99999999999999999999', '999999999999']
    for (const id of [...ids, ...unknown, ...namesOf(window)]) {
      session.expectStatus(await session.get(`/payments/${id}`), 404, 'for an id that is none')
    }
    // What follows the newest payment would be another merchant's. One that comes in meanwhile is in the list then.
    for (const more of [1, 2, 3, 10]) {
      const id = (await totalOf(session)) + more
      const answer = await session.get(`/payments/${id}`)
      if (answer.status === 200 && (await totalOf(session)) >= id) continue
      session.expectStatus(answer, 404, 'for an id after that of the newest payment')
    }
  },
})

async function totalOf(session: Session): Promise<number> {
  return integer(await session.get('/payments', 'perPage=1'), 'X-Total') ?? 0
}

/** What else a payment could be called by. */
function namesOf(window: Window | null): string[] {
  const names = ['merchantReference', 'scanCode'].map(name =>
    window?.payments.map(payment => String(payment[name] ?? '')).find(value => /[^\d]/.test(value)),
  )
  return names
    .filter(name => name !== undefined && !/^\.+$/.test(name))
    .map(name => encodeURIComponent(name as string))
}
