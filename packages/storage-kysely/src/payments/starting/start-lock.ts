import { assertTakesPayments, type Instant, type NewPayment } from '@tillkit/domain'
import { type RawBuilder, sql } from 'kysely'
import { columnsOf } from '../../schema/columns.ts'
import { instantOf } from '../../schema/dates.ts'
import { isSet } from '../../schema/is-set.ts'
import { LEDGER_COLUMNS, type Ledger, toLedger } from '../../schema/rows/rows.ts'
import type { Flag } from '../../schema/tables.ts'
import type { Database } from '../../session/database.ts'
import type { Session } from '../../session/session.ts'
import { prepare } from '../../session/statements/prepared.ts'
import { givenTime } from '../../time/given-time.ts'
import { suspendedCode } from './what-refuses.ts'

interface Parameters {
  merchantId: string
  scanCode: string
  now: string | null
}

/** What a start finds with the merchant's lock held. */
export interface Start extends Ledger {
  now: Instant
  /** Throws `conflict` where the merchant or the scan code is suspended. */
  assertTakesPayments(): void
}

const flag = (expression: RawBuilder<unknown>) => expression as RawBuilder<Flag>

/** `ledgerLock`, with what is suspended, in the same round trip. Null for an unknown merchant. */
export function startLock(
  database: Database,
): (session: Session, payment: NewPayment, now: Instant | null) => Promise<Start | null> {
  const { dialect } = database
  const lock = lockOf(database)
  return async (session, { merchantId, scanCode }, now) => {
    const query = lock({ merchantId, scanCode, now: givenTime(dialect, now) })
    let row = await session.first(query)
    // A code was suspended or resumed while this waited for the lock. Now that it has it, none is.
    if (row && !isSet(row.current)) row = await session.first(query)
    if (!row) return null
    const suspended = { merchant: isSet(row.suspended), scanCode: isSet(row.code_suspended) }
    return {
      ...toLedger(row),
      now: now ?? instantOf(row.now),
      assertTakesPayments: () => assertTakesPayments({ merchantId, code: scanCode, ...suspended }),
    }
  }
}

function lockOf({ builder, dialect }: Database) {
  const columns = columnsOf(dialect, 'ledgers', LEDGER_COLUMNS)
  const suspended = flag(sql`${sql.ref('ledgers.suspended_at')} is not null`).as('suspended')
  const time = (p: Parameters) => dialect.timeOf(dialect.orNow(p.now)).as('now')

  switch (dialect.name) {
    case 'sqlite':
      // With one writer at a time, only writing takes the lock in a transaction that began without it.
      return prepare((p: Parameters) =>
        builder
          .updateTable('ledgers')
          .set({ last_payment_id: sql<number>`last_payment_id` })
          .where('merchant_id', '=', p.merchantId)
          .returning([...columns, time(p), suspended])
          .returning(eb => flag(sql`${eb.exists(suspendedCode(builder, p.scanCode))}`).as('code_suspended'))
          .returning(flag(sql`1`).as('current')),
      )
    case 'postgres':
      return prepare((p: Parameters) =>
        builder
          .selectFrom('ledgers')
          .select([...columns, time(p), suspended])
          .select(eb => flag(sql`${eb.exists(suspendedCode(builder, p.scanCode))}`).as('code_suspended'))
          .select(flag(sql`${isCurrent(builder, p.merchantId)}`).as('current'))
          .where('merchant_id', '=', p.merchantId)
          .forUpdate(),
      )
    case 'mysql':
      // Both rows are locked, and so read as they are now, also in a transaction of a host's that began before.
      return prepare((p: Parameters) =>
        builder
          .selectFrom('ledgers')
          .leftJoin('scan_codes', join => join.on('scan_codes.code', '=', p.scanCode))
          .select([...columns, time(p), suspended])
          .select(flag(sql`${sql.ref('scan_codes.suspended_at')} is not null`).as('code_suspended'))
          .select(flag(sql`1`).as('current'))
          .where('ledgers.merchant_id', '=', p.merchantId)
          .forUpdate(),
      )
  }
}

/**
 * Whether what a statement reads of scan codes is so still: PostgreSQL reads another table as of when the statement began,
 * and the ledger's row, once it is locked, as it is now.
 */
export function isCurrent(builder: Database['builder'], merchantId: string): RawBuilder<boolean> {
  const seen = builder
    .selectFrom('ledgers as seen')
    .select('seen.suspensions')
    .where('seen.merchant_id', '=', merchantId)
  return sql<boolean>`${sql.ref('ledgers.suspensions')} = (${seen})`
}
