import type { NewPayment } from '@tillkit/domain'
import { sql } from 'kysely'
import type { Database } from '../session/database.ts'
import type { Session } from '../session/session.ts'
import { type ForRows, jsonRows, prepareForRows } from '../session/statements/json-rows.ts'

type Place = { place: number | string }

const CODE = { code: 'longtext' } as const
const KEY = { merchant_id: 'longtext', attempt_key: 'longtext' } as const

/**
 * Finds the attempts whose scan code is suspended or whose attempt key is known, in two round trips of MySQL's or MariaDB's at most.
 * Whoever suspends a code, or uses a key, has the merchant's lock: with it held, what is read stays so.
 */
export function findRefused(
  database: Database,
): (session: Session, payments: NewPayment[]) => Promise<Set<NewPayment>> {
  const findSuspended = prepareForRows(
    database,
    rows => sql<Place>`
      select given.place from ${jsonRows(rows, CODE)}
      straight_join ${sql.table('scan_codes')} as scan_code on scan_code.code = given.code
      where scan_code.suspended_at is not null`,
  )
  const findKnown = prepareForRows(
    database,
    rows => sql<Place>`
      select given.place from ${jsonRows(rows, KEY)}
      straight_join ${sql.table('payments')} as payment
        on payment.merchant_id = given.merchant_id and payment.attempt_key = given.attempt_key`,
  )

  return async (session, payments) => {
    /** Those of these that the query finds. */
    const found = async <One>(query: ForRows<Place>, ones: One[], row: (one: One) => object) => {
      if (ones.length === 0) return new Set<One>()
      const places = await session.all(query(ones.map(row)))
      return new Set(places.map(({ place }) => ones[Number(place) - 1] as One))
    }
    const codes = [...new Set(payments.map(({ scanCode }) => scanCode))]
    const suspended = await found(findSuspended, codes, code => ({ code }))
    const keyed = payments.filter(({ attemptKey }) => attemptKey !== null)
    const known = await found(findKnown, keyed, ({ merchantId, attemptKey }) => ({
      merchant_id: merchantId,
      attempt_key: attemptKey,
    }))
    return new Set(payments.filter(one => suspended.has(one.scanCode) || known.has(one)))
  }
}
