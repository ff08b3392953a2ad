import { type RawBuilder, sql } from 'kysely'
import { type EndedRow, handedOverIn } from '../deliveries/outbox/handed-over.ts'
import { type OutboxForm, outboxInOneStatement } from '../deliveries/outbox/outbox-in-one-statement.ts'
import type { ResolveAlone } from '../group-commit/resolve-all.ts'
import { andLimitedTo } from '../postgres/sessions/local-settings.ts'
import { columnsOf } from '../schema/columns.ts'
import { PAYMENT_COLUMNS } from '../schema/rows/payment-row.ts'
import { toPayment } from '../schema/rows/to-payment.ts'
import type { Database } from '../session/database.ts'
import { prepareArrays } from '../session/statements/prepared.ts'
import { type Doubt, inDoubt } from '../session/transactions/doubt.ts'
import { findDone } from '../session/transactions/find-done.ts'
import { givenTime } from '../time/given-time.ts'
import { findPaymentDone } from './find-payment.ts'
import { hasOneOf } from './has-one-of.ts'

interface Parameters {
  merchantId: string
  id: number
  failure: string | null
  now: string | null
  traceparent: string | null
  leaseUntil: string | null
}

/** The change, its delivery, and the payment as it is then, in one round trip; one that had its outcome is read in another. */
export function resolveInOneStatement(database: Database): ResolveAlone {
  const { builder, write, dialect } = database
  const find = findPaymentDone(database)

  const formsOf = (form: OutboxForm) => {
    const resolve = (status: 'completed' | 'error') =>
      prepareArrays<Parameters, EndedRow>(p => ({
        compile: () => statement(database, p, status, form).compile(builder),
      }))
    return { completed: resolve('completed'), error: resolve('error') }
  }
  const due = {
    plain: formsOf({ traced: false, leased: false }),
    traced: formsOf({ traced: true, leased: false }),
  }
  const leased = {
    plain: formsOf({ traced: false, leased: true }),
    traced: formsOf({ traced: true, leased: true }),
  }

  return async ({ key, outcome, now, traceparent = null, leaseUntil = null }, since) => {
    const forms = leaseUntil === null ? due : leased
    const query = (traceparent === null ? forms.plain : forms.traced)[outcome.status]({
      merchantId: key.merchantId,
      id: key.id,
      failure: outcome.status === 'error' ? outcome.failure : null,
      now: givenTime(dialect, now),
      traceparent,
      leaseUntil: leaseUntil && dialect.time(leaseUntil),
    })
    const doubt: Doubt = {}
    const row = await write(session => session.first(query), {
      statement: true,
      saysLimit: true,
      repeatable: true,
      doubt,
      merchantId: key.merchantId,
      locks: 'rows',
      since,
    })
    if (row) {
      const payment = toPayment(key.merchantId, row)
      return { payment, changed: true, claimed: handedOverIn(payment, traceparent, row) }
    }
    // It was not pending, as of the row's lock: only a later statement is sure to see what another committed meanwhile.
    const { merchantId, id } = key
    const resolved = await inDoubt(doubt, () =>
      findDone(database, find({ merchantId, id }), { merchantId, since }),
    )
    return resolved ? { payment: toPayment(key.merchantId, resolved), changed: false } : null
  }
}

function statement(
  database: Database,
  p: Parameters,
  status: 'completed' | 'error',
  form: OutboxForm,
): RawBuilder<unknown> {
  const { dialect, statementLimit } = database
  const values =
    status === 'completed'
      ? sql`status = 'completed'`
      : sql`status = 'error', failure = ${p.failure}, guarded_reference = null`
  const trace = form.traced ? sql`, ${p.traceparent}::text as trace` : sql``
  const lease = form.leased ? sql`, ${p.leaseUntil}::timestamptz as lease_until` : sql``
  const { parts, ended, handed } = outboxInOneStatement(database, form)
  return sql`
    with changed as (
      update ${sql.table('payments')} as payment set ${values}
      where merchant_id = ${p.merchantId} and id = ${p.id} and ${hasOneOf(['pending'])}${andLimitedTo(statementLimit)}
      returning payment.*, ${dialect.orNow(p.now)} as due${trace}${lease}
    ), ${parts}
    select ${sql.join(columnsOf(dialect, 'payments', PAYMENT_COLUMNS, 'changed'))}${handed}
    from ${ended} as changed`
}
