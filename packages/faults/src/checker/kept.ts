import type { Address } from '../engines/address.ts'
import { openSession, type Row } from '../engines/session.ts'

/** A payment as its row has it. */
export interface KeptPayment {
  merchantId: string
  id: number
  status: string
  date: string
  totalAmount: number
  merchantReference: string | null
  strict: boolean
  failure: string | null
  statementReference: string | null
  attemptKey: string | null
  extra: Record<string, string>
}

/** The end of a period as its row has it: a run of ids, empty where the first comes after the last. */
export interface KeptCashUp {
  merchantId: string
  number: number
  reference: string
  date: string
  firstPaymentId: number
  lastPaymentId: number
  idempotencyKey: string | null
}

/** A delivery as its row has it, and the numbers of the attempts that are kept: an only one may stand in the row. */
export interface KeptDelivery {
  merchantId: string
  paymentId: number
  state: string
  attempts: number
  kept: number[]
}

/** Reads all rows, in the order of their keys. */
export async function readKept(
  address: Address,
): Promise<{ payments: KeptPayment[]; cashUps: KeptCashUp[]; deliveries: KeptDelivery[] }> {
  const session = await openSession(address)
  const table = (name: string, key: string) =>
    session.rows(`select * from tillkit_${name} order by merchant_id, ${key}`)
  try {
    const payments = (await table('payments', 'id')).map(paymentOf)
    const cashUps = (await table('cash_ups', 'number')).map(cashUpOf)
    const attempts = Map.groupBy(await table('delivery_attempts', 'payment_id, number'), keyOf)
    const deliveries = (await table('deliveries', 'payment_id')).map(
      (row): KeptDelivery => ({
        merchantId: `${row.merchant_id}`,
        paymentId: Number(row.payment_id),
        state: `${row.state}`,
        attempts: Number(row.attempts),
        kept: attempts.get(keyOf(row))?.map(({ number }) => Number(number)) ?? (isLone(row) ? [1] : []),
      }),
    )
    return { payments, cashUps, deliveries }
  } finally {
    await session.close()
  }
}

const keyOf = (row: Row) => `${row.merchant_id} ${row.payment_id}`
const isLone = (row: Row) => text(row.lone_milliseconds) !== null
const text = (value: unknown) => (value === null || value === undefined ? null : `${value}`)
const flag = (value: unknown) => value === 1 || value === '1' || value === 't' || value === true

/** `2026-11-20 09:30:00+00` and the like, in the form of the wire. */
const date = (value: unknown) => `${`${value}`.slice(0, 19).replace(' ', 'T')}Z`

function paymentOf(row: Row): KeptPayment {
  return {
    merchantId: `${row.merchant_id}`,
    id: Number(row.id),
    status: `${row.status}`,
    date: date(row.date),
    totalAmount: Number(row.total_amount),
    merchantReference: text(row.merchant_reference),
    strict: flag(row.strict),
    failure: text(row.failure),
    statementReference: text(row.statement_reference),
    attemptKey: text(row.attempt_key),
    extra: typeof row.extra === 'string' ? JSON.parse(row.extra) : (row.extra as Record<string, string>),
  }
}

function cashUpOf(row: Row): KeptCashUp {
  return {
    merchantId: `${row.merchant_id}`,
    number: Number(row.number),
    reference: `${row.reference}`,
    date: date(row.date),
    firstPaymentId: Number(row.first_payment_id),
    lastPaymentId: Number(row.last_payment_id),
    idempotencyKey: text(row.idempotency_key),
  }
}
