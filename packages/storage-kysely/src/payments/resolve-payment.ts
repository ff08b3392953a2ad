import type { Outcome, PaymentKey } from '@tillkit/domain'
import type { PaymentStore } from '@tillkit/storage'
import type { CompiledQuery } from 'kysely'
import { resolveInOneCall } from '../citus/payments/resolve-payments.ts'
import { handedOver } from '../deliveries/outbox/handed-over.ts'
import { outbox } from '../deliveries/outbox/outbox.ts'
import { outcomesTogether } from '../group-commit/outcomes-together.ts'
import type { ResolveAlone } from '../group-commit/resolve-all.ts'
import { columnsOf } from '../schema/columns.ts'
import { PAYMENT_COLUMNS, type PaymentRow } from '../schema/rows/payment-row.ts'
import { toPayment } from '../schema/rows/to-payment.ts'
import type { Database } from '../session/database.ts'
import type { Session } from '../session/session.ts'
import { prepare, prepareArrays } from '../session/statements/prepared.ts'
import { keptOut } from '../session/transactions/write-each.ts'
import { findPaymentNow } from './find-payment.ts'
import { hasOneOf } from './has-one-of.ts'
import { resolveInOneStatement } from './resolve-in-one-statement.ts'

const STATUS = PAYMENT_COLUMNS.indexOf('status')

export function resolvePayment(database: Database): PaymentStore['resolve'] {
  const alone = resolveAlone(database)
  const write = database.groups ? outcomesTogether(database, alone) : alone
  return (key, outcome, now, traceparent, leaseUntil) => write({ key, outcome, now, traceparent, leaseUntil })
}

function resolveAlone(database: Database): ResolveAlone {
  const resolve = resolveFor(database)
  return async (ending, since) => {
    const resolved = await resolve(ending, since)
    // One that was read after nothing was changed is pending no more.
    if (resolved?.changed === false && resolved.payment.status === 'pending') throw keptOut()
    return resolved
  }
}

function resolveFor(database: Database): ResolveAlone {
  const { composes, distributed } = database.dialect
  if (distributed) return resolveInOneCall(database)
  return composes ? resolveInOneStatement(database) : resolveInSteps(database)
}

function resolveInSteps(database: Database): ResolveAlone {
  const { write } = database
  const find = findPaymentNow(database)
  const writeDelivery = outbox(database)
  const end = endPending(database)

  return async ({ key: { merchantId, id }, outcome, now, traceparent, leaseUntil }, since) => {
    const resolved = await write(
      async session => {
        const give = async () => {
          const { changed, ended } = await end(session, { merchantId, id }, outcome)
          return { changed, row: ended ?? (await session.first(find({ merchantId, id }))) }
        }
        let { changed, row } = await give()
        // A node of a cluster has applied it between the two: there was none to change, and now there is.
        if (!changed && row?.[STATUS] === 'pending') ({ changed, row } = await give())
        const delivery = { now, traceparent, leaseUntil }
        const handed = changed
          ? await writeDelivery(session, { merchantId, paymentId: id }, delivery)
          : undefined
        return row ? { row, changed, handed } : null
      },
      { repeatable: true, merchantId, locks: 'rows', since },
    )
    if (!resolved) return null
    const { row, changed, handed } = resolved
    // Once it is committed: a row that cannot be read has its outcome all the same.
    const payment = toPayment(merchantId, row)
    return { payment, changed, claimed: handed && handedOver(payment, traceparent, handed) }
  }
}

interface Parameters extends PaymentKey {
  failure: string | null
}

/** Gives a pending payment its outcome. `ended` is the payment as it is then, where the engine says so by itself. */
function endPending({
  builder,
  dialect,
}: Database): (
  session: Session,
  key: PaymentKey,
  outcome: Outcome,
) => Promise<{ changed: boolean; ended?: PaymentRow | undefined }> {
  const end = (status: Outcome['status'], p: Parameters) =>
    builder
      .updateTable('payments')
      .set(status === 'completed' ? { status } : { status, failure: p.failure, guarded_reference: null })
      .where('merchant_id', '=', p.merchantId)
      .where('id', '=', p.id)
      .where(hasOneOf(['pending']))
  const formOf = (status: Outcome['status']) =>
    dialect.updatesReturn
      ? prepareArrays<Parameters, PaymentRow>((p: Parameters) =>
          end(status, p).returning(columnsOf(dialect, 'payments', PAYMENT_COLUMNS)),
        )
      : prepare<Parameters, unknown>((p: Parameters) => end(status, p))
  const forms = { completed: formOf('completed'), error: formOf('error') }

  return async (session, { merchantId, id }, outcome) => {
    const failure = outcome.status === 'error' ? outcome.failure : null
    const query = forms[outcome.status]({ merchantId, id, failure })
    if (!dialect.updatesReturn) return { changed: (await session.change(query)) > 0 }
    const ended = await session.first(query as CompiledQuery<PaymentRow>)
    return { changed: ended !== undefined, ended }
  }
}
