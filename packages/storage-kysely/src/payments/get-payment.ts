import type { PaymentKey } from '@tillkit/domain'
import type { PaymentStore } from '@tillkit/storage'
import { findPaymentsAtNode } from '../citus/payments/find-payments.ts'
import type { CrowdWork } from '../crowds/crowd.ts'
import { crowdOf } from '../crowds/node-crowds.ts'
import { isOfDatabase } from '../faults/is-of-database.ts'
import type { PaymentRow } from '../schema/rows/payment-row.ts'
import { toPayment } from '../schema/rows/to-payment.ts'
import type { Database } from '../session/database.ts'
import type { SharedReads } from '../session/session.ts'
import { findPayment } from './find-payment.ts'
import { findPayments } from './find-payments.ts'

/** One payment; with others that wait for a connection, where one statement may ask for all of them. */
export function getPayment(database: Database): PaymentStore['get'] {
  const { read, dialect } = database
  const { shared } = read
  const find = findPayment(database)
  const rowOf =
    shared && !dialect.oneWriter
      ? inCrowds(database, shared)
      : (key: PaymentKey) => (read.opening ?? read).first(find(key))

  return async ({ merchantId, id }) => {
    const row = await rowOf({ merchantId, id })
    return row ? toPayment(merchantId, row) : null
  }
}

function inCrowds(database: Database, { isBusy, run }: SharedReads) {
  const { dialect, nodeOf } = database
  const find = findPayment(database)
  const findAll = dialect.distributed ? findPaymentsAtNode(database) : findPayments(database)
  const work: CrowdWork<PaymentKey, PaymentRow | null> = {
    isBusy,
    together: (take, since) => run(session => findAll(session, take()), since),
    alone: async (key, since) => (await run(session => session.first(find(key)), since)) ?? null,
    isOfEach: error => isOfDatabase(error, dialect),
  }
  const crowd = crowdOf<PaymentKey, PaymentRow | null>(
    work,
    nodeOf && (({ merchantId }) => nodeOf(merchantId)),
  )
  return (key: PaymentKey) => crowd.call(key)
}
