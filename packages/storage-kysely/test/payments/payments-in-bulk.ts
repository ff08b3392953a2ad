import type { Kysely } from 'kysely'
import { type DialectName, dialectOf } from '../../src/dialects/index.ts'
import { databaseOf } from '../../src/kysely-storage.ts'
import type { NewPaymentRow } from '../../src/payments/starting/insert-payment.ts'
import type { Tables } from '../../src/schema/tables.ts'

const CHUNK = 500
const FIRST = Date.parse('2026-11-20T09:30:00Z')

/** When a payment was started so many seconds after the first. */
export const dateOf = (seconds: number) => `${new Date(FIRST + seconds * 1000).toISOString().slice(0, 19)}Z`

/** Writes a merchant with `count` payments, so many in each second: most completed, some failed, the last few pending. */
export async function fillPayments<HostTables>(
  db: Kysely<HostTables>,
  dialectName: DialectName,
  merchantId: string,
  count: number,
  inEachSecond = 1,
  scanCodeOf = (id: number) => `till-${id % 20}`,
): Promise<void> {
  const { builder } = databaseOf(db as unknown as Kysely<Tables>, dialectOf(dialectName), {})
  const { flag, time } = dialectOf(dialectName)
  const dated = (n: number) => dateOf(Math.floor(n / inEachSecond))

  const payment = (id: number): NewPaymentRow => ({
    merchant_id: merchantId,
    id,
    status: id > count - 20 ? 'pending' : id % 25 === 0 ? 'error' : 'completed',
    date: time(dated(id)),
    total_amount: id,
    tip_amount: null,
    scan_code: scanCodeOf(id),
    scan_code_reference: id % 20 === 0 ? null : `Counter ${id % 20}`,
    user_reference: id % 2 === 0 ? `user-${id % 500}` : null,
    statement_reference: id % 25 === 0 || id > count / 2 ? null : `BANK-${id % 30}`,
    is_voucher: flag(false),
    is_voucher_redemption: flag(false),
    required_amount: null,
    merchant_reference: `order-${id}`,
    auth_code: null,
    device_serial_number: null,
    strict: flag(false),
    failure: null,
    extra: '{}',
    attempt_key: null,
    guarded_reference: null,
  })

  for (let first = 1; first <= count; first += CHUNK) {
    const rows = Array.from({ length: Math.min(CHUNK, count - first + 1) }, (_, n) => payment(first + n))
    await db.executeQuery(builder.insertInto('payments').values(rows).compile())
  }
  const ledger = {
    merchant_id: merchantId,
    last_payment_id: count,
    last_date: time(dated(count)),
    last_cash_up_number: 0,
    last_cash_up_payment_id: 0,
  }
  await db.executeQuery(builder.insertInto('ledgers').values(ledger).compile())
}
