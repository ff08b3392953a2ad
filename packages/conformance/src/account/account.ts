import { CannotTry } from '../report.ts'
import { isObject, itemsOf, shown } from '../rules/kinds.ts'
import { integer } from '../rules/pages.ts'
import type { Session } from '../session/session.ts'
import { type SeenPayment, seenIn } from './seen.ts'
import { openWindow, type Window } from './window.ts'

/** A cash up as it was shown. */
export interface SeenCashUp {
  date: string
  reference: string
}

/** What is known of an account before it is tried. */
export interface Account {
  /** How many payments it has. */
  total: number
  /** A part of its payments of which everything is known, and which no new payment comes into; null where there are none. */
  window: Window | null
  /** The newest, up to 100. */
  cashUps: SeenCashUp[]
  cashUpsTotal: number
  /** The oldest that are pending, up to 100. */
  pending: SeenPayment[]
}

/** Looks around in an account. Throws `CannotTry` where the key is refused or the address is no API. */
export async function surveyOf(session: Session): Promise<Account> {
  const first = await session.get('/payments', 'perPage=100')
  if (first.status !== 200) {
    const said = isObject(first.json) && 'message' in first.json ? ` ${shown(first.json.message)}` : ''
    throw new CannotTry(
      first.status === 401
        ? 'the key is refused: GET /payments answers 401'
        : `GET /payments answers ${first.status}${said}: nothing can be tried`,
    )
  }
  if (!Array.isArray(first.json))
    throw new CannotTry('GET /payments answers no list: this is no payments API')
  const total = integer(first, 'X-Total') ?? itemsOf(first).length
  const window = total === 0 && itemsOf(first).length === 0 ? null : await openWindow(session, first)
  const pendings = await session.get('/payments', 'status=pending&perPage=1')
  const pages = Math.max(Math.ceil((integer(pendings, 'X-Total') ?? 0) / 100), 1)
  const pending = await session.get('/payments', `status=pending&perPage=100&page=${pages}`)
  return {
    total,
    window,
    ...(await cashUpsOf(session)),
    pending: seenIn(itemsOf(pending)).filter(({ status }) => status === 'pending'),
  }
}

/** The newest cash ups, up to 100. */
export async function cashUpsOf(session: Session): Promise<Pick<Account, 'cashUps' | 'cashUpsTotal'>> {
  const answer = await session.get('/cash_ups', 'perPage=100')
  const cashUps = itemsOf(answer).filter(
    ({ date, reference }) => typeof date === 'string' && typeof reference === 'string',
  )
  return { cashUps: cashUps as unknown as SeenCashUp[], cashUpsTotal: integer(answer, 'X-Total') ?? 0 }
}
