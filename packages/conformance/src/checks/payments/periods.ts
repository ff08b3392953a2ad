import { type Account, cashUpsOf, type SeenCashUp } from '../../account/account.ts'
import { type SeenPayment, seenIn } from '../../account/seen.ts'
import type { Window } from '../../account/window.ts'
import { isObject, itemsOf, shown } from '../../rules/kinds.ts'
import { integer } from '../../rules/pages.ts'
import type { Check } from '../../session/check.ts'
import { NotTried } from '../../session/not-tried.ts'
import type { Session } from '../../session/session.ts'

/** So many periods, of so many payments each, are read whole. */
const PERIODS = 4
const PAGES = 5

/** What a cash up lists; null while it has pending payments, or where it is too long to be read whole. */
async function listed(
  session: Session,
  { reference }: SeenCashUp,
): Promise<SeenPayment[] | 'pending' | 'long'> {
  const path = `/payments/cash_ups/${reference}`
  const found: SeenPayment[] = []
  for (let page = 1; page <= PAGES; page++) {
    const answer = await session.get(path, `perPage=100&page=${page}`)
    if (answer.status === 500 && isObject(answer.json) && answer.json.code === 'not_ready') return 'pending'
    if (!session.expectStatus(answer, 200, 'for a cash up of the list')) return 'pending'
    found.push(...seenIn(itemsOf(answer)))
    if (found.length >= (integer(answer, 'X-Total') ?? 0)) return found
  }
  return 'long'
}

/** All payments with ids from `low` to `high`, found by counting, as ids have no gap. Null where they are too many. */
async function between(
  session: Session,
  window: Window | null,
  low: number,
  high: number,
): Promise<SeenPayment[] | null> {
  if (high - low >= PAGES * PERIODS * 100) return null
  const over = window !== null && high <= window.before
  const total = over ? window.before : (integer(await session.get('/payments', 'perPage=1'), 'X-Total') ?? 0)
  const found: SeenPayment[] = []
  for (let newest = high; newest >= low; newest -= 100) {
    const slice = `perPage=100&offset=${Math.max(total - newest, 0)}`
    const query = over ? `endDate=${window.endDate}&${slice}` : slice
    found.push(...seenIn(itemsOf(await session.get('/payments', query))))
  }
  return found.filter(({ id }) => id >= low && id <= high)
}

/** API 4.5: a cash up lists the completed payments of its run of ids, and every payment is in one. */
export function periods({ window }: Account): Check {
  return {
    name: 'periods',
    section: '4.5',
    title: 'a cash up lists the completed payments of its run of ids: none twice, none left out',
    async run(session) {
      const { cashUps, cashUpsTotal } = await cashUpsOf(session)
      if (cashUps.length === 0) throw new NotTried('there are no cash ups')
      const some: { cashUp: SeenCashUp; payments: SeenPayment[] }[] = []
      for (const cashUp of cashUps.slice(0, 20)) {
        const payments = await listed(session, cashUp)
        if (payments === 'long') session.skip(`cash up ${cashUp.reference} is too long to be read whole`)
        if (typeof payments === 'string') {
          if (some.length > 1 && some.some(({ payments }) => payments.length > 0)) break
          some.length = 0
          continue
        }
        some.push({ cashUp, payments })
        if (some.filter(({ payments }) => payments.length > 0).length === PERIODS) break
      }
      // Newest first, one after the other with none between them.
      const run = some.flatMap(({ payments }) => payments)
      const [newest, oldest] = [run[0], run.at(-1)]
      if (newest === undefined || oldest === undefined) {
        throw new NotTried('no cash up that can be read whole has completed payments')
      }
      const answer = { curl: `${some.map(({ cashUp }) => cashUp.reference).join(', ')}` }
      const ids = run.map(({ id }) => id)
      const at = ids.findIndex((id, i) => i > 0 && id >= (ids[i - 1] as number))
      if (at > 0) session.differ(`payment ${ids[at]} is in two cash ups, or in the wrong one`, answer)

      const isFirst =
        some.at(-1)?.cashUp.reference === cashUps.at(-1)?.reference && cashUps.length === cashUpsTotal
      const all = await between(session, window, isFirst ? 1 : oldest.id, newest.id)
      if (all === null) session.skip('there are too many payments between the cash ups to be read')
      for (const { id, status } of all ?? []) {
        if (status === 'completed' && !ids.includes(id))
          session.differ(`payment ${id} is completed and in no cash up`, answer)
        if (status === 'pending')
          session.differ(`payment ${id} is pending, and its cash up is answered`, answer)
      }
      edges(session, some, window?.payments ?? [])
    },
  }
}

/** What is dated before a cash up is in its period or an earlier one; what is dated after it is in neither. */
function edges(
  session: Session,
  some: { cashUp: SeenCashUp; payments: SeenPayment[] }[],
  known: SeenPayment[],
): void {
  for (const [i, { cashUp, payments }] of some.entries()) {
    const answer = { curl: `GET /payments/cash_ups/${cashUp.reference}` }
    const before = some[i + 1]?.cashUp
    for (const { id, date } of payments) {
      if (date > cashUp.date) session.differ(`payment ${id} is of ${date}, after the cash up`, answer)
      if (before && date < before.date)
        session.differ(`payment ${id} is of ${date}, before the last cash up`, answer)
    }
    if (before === undefined) continue
    const ids = new Set(payments.map(({ id }) => id))
    for (const { id, date, status } of known) {
      if (date <= before.date || date >= cashUp.date || ids.has(id)) continue
      if (status === 'completed')
        session.differ(`payment ${id} of ${date} is completed, and is not listed`, answer)
      if (status === 'pending')
        session.differ(`payment ${id} of ${date} is pending, and its cash up is answered`, answer)
    }
  }
}

/** API 4.5: references that there are not. */
export function unknownCashUps({ cashUps }: Account): Check {
  return {
    name: 'unknown-cash-ups',
    section: '4.5',
    title: 'a reference that there is not is 404',
    async run(session) {
      const [known] = cashUps
      const unknown = ['0'.repeat(32), '0', 'x', 'f'.repeat(33), '1', 'undefined', `${'0'.repeat(31)}%20`]
      if (known && /[a-f]/.test(known.reference)) unknown.push(known.reference.toUpperCase())
      if (known) unknown.push(known.reference.slice(0, -1), `${known.reference}0`)
      for (const reference of unknown) {
        const answer = await session.get(`/payments/cash_ups/${reference}`)
        session.expectStatus(answer, 404, 'for a cash up that there is not')
      }
    },
  }
}

/** API 4.5: while a payment of the period is pending. */
export function notReady({ pending }: Account): Check {
  return {
    name: 'not-ready',
    section: '4.5',
    title: 'while a payment of the period is pending it is 500 not_ready, with Retry-After',
    async run(session) {
      const { cashUps } = await cashUpsOf(session)
      const ascending = cashUps.toReversed()
      let tried = false
      for (const payment of pending) {
        // Strictly between two cash ups, so that its second leaves no doubt.
        const at = ascending.findIndex(({ date }) => date > payment.date)
        const [cashUp, before] = [ascending[at], ascending[at - 1]]
        if (cashUp === undefined || (before && before.date === payment.date)) continue
        if (before === undefined && cashUps.length === 100) continue
        tried = true
        const path = `/payments/cash_ups/${cashUp.reference}`
        const answer = await session.get(path)
        const later = await session.get(path, 'page=2')
        const head = await session.ask({ method: 'HEAD', path })
        const now = await session.get(`/payments/${payment.id}`)
        if (!isObject(now.json) || now.json.status !== 'pending') continue
        if (session.expectStatus(answer, 500, `as payment ${payment.id} is pending`)) {
          const code = isObject(answer.json) ? answer.json.code : undefined
          if (code !== 'not_ready') session.differ(`code should be not_ready, and is ${shown(code)}`, answer)
          if (answer.header('retry-after') === null) session.differ('Retry-After is missing', answer)
        }
        for (const other of [later, head])
          session.expectStatus(other, 500, `as payment ${payment.id} is pending`)
        break
      }
      if (!tried) throw new NotTried('no pending payment is known to be in the period of a cash up')
    },
  }
}
