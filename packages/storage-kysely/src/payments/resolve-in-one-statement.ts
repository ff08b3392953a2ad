import { sql } from 'kysely'
import { NEW_DELIVERY } from '../deliveries/outbox.ts'
import type { ResolveAlone } from '../group-commit/resolve-all.ts'
import { columnsOf } from '../schema/columns.ts'
import { BESIDE_PAYMENT, PAYMENT_COLUMNS, type PaymentRow } from '../schema/payment-row.ts'
import { toPayment } from '../schema/to-payment.ts'
import type { Database } from '../session/database.ts'
import { prepareArrays } from '../session/prepared.ts'
import { givenTime } from '../time/given-time.ts'
import { findPayment } from './find-payment.ts'
import { hasOneOf } from './has-one-of.ts'

type Row = [...PaymentRow, changed: boolean]

interface Parameters {
  merchantId: string
  id: number
  failure: string | null
  now: string | null
  traceparent: string | null
}

/** The change, its delivery, and the payment as it is after it or was before, in one round trip. */
export function resolveInOneStatement(database: Database): ResolveAlone {
  const { builder, read, write, dialect } = database
  const find = findPayment(database)

  const resolve = (status: 'completed' | 'error', traced: boolean) =>
    prepareArrays<Parameters, Row>((p: Parameters) =>
      builder
        .with('changed', db =>
          db
            .updateTable('payments')
            .set(
              status === 'completed'
                ? { status: sql.lit(status) }
                : { status: sql.lit(status), failure: p.failure, guarded_reference: null },
            )
            .where('merchant_id', '=', p.merchantId)
            .where('id', '=', p.id)
            .where(hasOneOf(['pending']))
            .returning(['merchant_id', ...PAYMENT_COLUMNS]),
        )
        .with('delivery', db =>
          db
            .insertInto('deliveries')
            .columns(traced ? [...NEW_DELIVERY, 'traceparent'] : [...NEW_DELIVERY])
            .expression(eb =>
              eb
                .selectFrom('changed')
                .innerJoin('merchants', 'merchants.id', 'changed.merchant_id')
                .select(row => [
                  'changed.merchant_id',
                  'changed.id',
                  row.val('pending').as('state'),
                  row.lit(0).as('attempts'),
                  row.lit(0).as('fence'),
                  dialect.orNow(p.now).as('next_attempt_at'),
                  dialect.orNow(p.now).as('created_at'),
                ])
                .$if(traced, query => query.select(row => row.val(p.traceparent).as('traceparent')))
                .where('merchants.webhook_url', 'is not', null),
            ),
        )
        .selectFrom('changed')
        .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS, 'changed'))
        .select(sql<boolean>`true`.as('changed'))
        .unionAll(db =>
          db
            .selectFrom('payments')
            .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
            .select(sql<boolean>`false`.as('changed'))
            .where('merchant_id', '=', p.merchantId)
            .where('id', '=', p.id)
            .where(({ not, exists, selectFrom }) => not(exists(selectFrom('changed').select('changed.id')))),
        ),
    )
  const plain = { completed: resolve('completed', false), error: resolve('error', false) }
  const traced = { completed: resolve('completed', true), error: resolve('error', true) }

  return async (key, outcome, now, traceparent = null, since) => {
    const forms = traceparent === null ? plain : traced
    const query = forms[outcome.status]({
      merchantId: key.merchantId,
      id: key.id,
      failure: outcome.status === 'error' ? outcome.failure : null,
      now: givenTime(dialect, now),
      traceparent,
    })
    const row = await write(session => session.first(query), {
      statement: true,
      repeatable: true,
      merchantId: key.merchantId,
      locks: 'rows',
      since,
    })
    if (!row) return null
    const changed = row[BESIDE_PAYMENT]
    const [, status] = row
    if (changed || status !== 'pending') return { payment: toPayment(key.merchantId, row), changed }
    // Another outcome was committed while this statement waited: it saw the payment as of before, and not as it is now.
    const resolved = await read.first(find({ merchantId: key.merchantId, id: key.id }))
    return resolved ? { payment: toPayment(key.merchantId, resolved), changed: false } : null
  }
}
