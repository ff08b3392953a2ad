import { secondOf } from '@tillkit/domain'
import { sql } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'
import type { Start } from '../../group-commit/start-all.ts'
import { OWN_NAMES, type StartedRow } from '../../group-commit/start-all-in-one-statement.ts'
import { type NewPaymentRow, newPaymentRow, UNSTARTED } from '../../payments/starting/insert-payment.ts'
import type { Database } from '../../session/database.ts'
import { type Prepared, prepareArrays } from '../../session/statements/prepared.ts'
import { givenTime } from '../../time/given-time.ts'
import { heldHere } from './held-here.ts'

type StartAtShard = NewPaymentRow & { place: number; merchantId: string; now: string | null }

/** What such a statement takes of a payment, which is answered as the one at that place, from 1 on. */
export function startedAtShard({ payment, now }: Start, place: number, dialect: Dialect): StartAtShard {
  return {
    place,
    ...newPaymentRow(payment, UNSTARTED, null, dialect),
    merchantId: payment.merchantId,
    now: givenTime(dialect, now && secondOf(now)),
  }
}

/**
 * Records a payment at its merchant's shard, by one statement. Nothing comes back, and nothing was done, where the merchant takes no payments or had
 * a scan code suspended once, where the attempt key is known, and where the shard is not held.
 */
export function startAtShard({ builder, dialect }: Database): Prepared<StartAtShard, StartedRow> {
  const [ledgers, payments] = ['ledgers', 'payments'].map(name => sql.table(name))
  return prepareArrays<StartAtShard, StartedRow>(p => ({
    compile: () =>
      sql`with ledger as (
          update ${ledgers} as l set
            last_payment_id = l.last_payment_id + 1,
            last_date = greatest(l.last_date, date_trunc('second', coalesce(${p.now}::timestamptz, clock_timestamp())))
          where l.merchant_id = ${p.merchantId} and l.suspended_at is null and l.suspensions = 0
            and not exists (select from ${payments} where merchant_id = ${p.merchantId} and attempt_key = ${p.attempt_key})
            and ${heldHere}
          returning l.last_payment_id as id, l.last_date as date
        ), started as (
          insert into ${payments} (merchant_id, id, date, status, strict, ${sql.join(OWN_NAMES.map(name => sql.ref(name)))})
          select ${p.merchantId}, id, date, 'pending', false, ${sql.join(OWN_NAMES.map(name => sql`${p[name]}`))} from ledger
          returning id
        )
        select ${p.place}::bigint, id / (select count(*) from started), ${dialect.secondOf(sql.ref('date'))} as date from ledger`.compile(
        builder,
      ),
  }))
}
