import { MOST_MEANT, type Payment, type PaymentName } from '@tillkit/domain'
import { sql } from 'kysely'
import { hasOneOf } from '../payments/has-one-of.ts'
import { columnsOf } from '../schema/columns.ts'
import { BESIDE_PAYMENT, PAYMENT_COLUMNS, type PaymentRow, type Whole } from '../schema/payment-row.ts'
import { toPayment } from '../schema/to-payment.ts'
import { unforeseen } from '../schema/unforeseen.ts'
import { AS_ARRAYS } from '../session/array-rows.ts'
import type { Database } from '../session/database.ts'

/** How many names one statement looks for. */
const NAMES = 50

const STATUSES = { live: hasOneOf(['pending', 'completed']), failed: hasOneOf(['error']) }

type Status = keyof typeof STATUSES
type Name = Omit<PaymentName, 'id'>
type Row = [...PaymentRow, n: Whole]

/** Names by reference and code that mean the same have the same key. */
export function keyOf({ merchantReference, authCode }: Name): string {
  return JSON.stringify([merchantReference, authCode])
}

/**
 * The payments of each name, from the id `firstId` on: those that have not failed, or, where there are none, those that have. A
 * statement looks for many names, each for itself and for a few payments, so that a name that all payments share costs no more.
 */
export function findByReference({
  builder,
  read,
  dialect,
}: Database): (merchantId: string, names: Name[], firstId: number) => Promise<Map<string, Payment[]>> {
  const ofName = (merchantId: string, name: Name, status: Status, firstId: number, n: number) => {
    const { merchantReference, authCode } = name
    const payments = builder
      .selectFrom('payments')
      .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
      .where('merchant_id', '=', merchantId)
      .$if(merchantReference !== null, query => query.where('merchant_reference', '=', merchantReference))
      .$if(authCode !== null, query => query.where('auth_code', '=', authCode))
      .$if(firstId > 1, query => query.where('id', '>=', unforeseen(dialect, firstId)))
      .where(STATUSES[status])
      .limit(MOST_MEANT)
    return builder.selectFrom(payments.as('named')).selectAll('named').select(sql.lit(n).as('n'))
  }

  async function look(merchantId: string, names: Name[], status: Status, firstId: number) {
    const found = new Map<string, Payment[]>()
    for (let start = 0; start < names.length; start += NAMES) {
      const those = names.slice(start, start + NAMES)
      const [first, ...more] = those.map((name, n) => ofName(merchantId, name, status, firstId, n))
      if (first === undefined) break
      const query = more.reduce((all, one) => all.unionAll(one), first).compile()
      for (const row of (await read.all({ ...query, ...AS_ARRAYS })) as unknown as Row[]) {
        const name = those[Number(row[BESIDE_PAYMENT])]
        if (name === undefined) continue
        const payments = found.get(keyOf(name)) ?? []
        payments.push(toPayment(merchantId, row))
        found.set(keyOf(name), payments)
      }
    }
    for (const payments of found.values()) payments.sort((a, b) => a.id - b.id)
    return found
  }

  return async (merchantId, names, firstId) => {
    const unique = [...new Map(names.map(name => [keyOf(name), name])).values()]
    const live = await look(merchantId, unique, 'live', firstId)
    const none = unique.filter(name => !live.has(keyOf(name)))
    const failed = await look(merchantId, none, 'failed', firstId)
    return new Map([...live, ...failed])
  }
}
