import type { NewPayment, WireDate } from '@tillkit/domain'
import { sql } from 'kysely'
import type { Database } from '../../session/database.ts'
import type { Session } from '../../session/session.ts'
import { asTexts, jsonRows, prepareForRows } from '../../session/statements/json-rows.ts'
import { writeEach } from '../../session/transactions/write-each.ts'
import { ALL_PAYMENT_COLUMNS, newPaymentRow } from './insert-payment.ts'

/** An attempt with the id and the date that it was given. */
interface Numbered {
  payment: NewPayment
  id: number
  date: WireDate
}

const TEXTS = asTexts(ALL_PAYMENT_COLUMNS)

const PENDING = { status: 'pending', failure: null } as const

/** Inserts payments that are pending and not strict in one statement of MySQL's or MariaDB's. */
export function insertPayments(
  database: Database,
): (session: Session, payments: Numbered[]) => Promise<void> {
  const columns = sql.join(ALL_PAYMENT_COLUMNS.map(name => sql.ref(name)))
  const insert = prepareForRows(
    database,
    rows =>
      sql`insert into ${sql.table('payments')} (${columns}) select ${columns} from ${jsonRows(rows, TEXTS)}`,
  )
  return (session, payments) => {
    const rows = payments.map(({ payment, id, date }) =>
      newPaymentRow(payment, { ...PENDING, id, date }, null, database.dialect),
    )
    return writeEach(session, insert(rows), rows.length)
  }
}
