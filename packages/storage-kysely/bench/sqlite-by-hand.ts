import type { Database } from 'better-sqlite3'
import { type Contender, PAGE, PERIOD } from './contender.ts'
import { BIG } from './fill.ts'

const COLUMNS = `merchant_id, id, status, date, total_amount, tip_amount, scan_code, scan_code_reference, user_reference,
  statement_reference, is_voucher, is_voucher_redemption, required_amount, merchant_reference, auth_code,
  device_serial_number, strict, failure, extra`

interface Row {
  is_voucher: unknown
  is_voucher_redemption: unknown
  strict: unknown
  extra: string
}

/** SQLite has neither booleans nor JSON. */
const payment = (row: Row) => ({
  ...row,
  is_voucher: Boolean(row.is_voucher),
  is_voucher_redemption: Boolean(row.is_voucher_redemption),
  strict: Boolean(row.strict),
  extra: JSON.parse(row.extra),
})

interface Numbers {
  [name: string]: number
}

/** What a careful programmer writes for this one schema: prepared statements of better-sqlite3, with the same answers. */
export function sqliteByHand(db: Database): Contender {
  const find = db.prepare<unknown[], Row>(
    `select ${COLUMNS} from tillkit_payments where merchant_id = ? and id = ?`,
  )
  const last = db.prepare<unknown[], Numbers>(
    'select last_payment_id as id from tillkit_ledgers where merchant_id = ?',
  )
  const run = db.prepare<unknown[], Row>(
    `select ${COLUMNS} from tillkit_payments where merchant_id = ? and id > ? and id <= ? order by id desc`,
  )
  const from = (date: string) =>
    `(select (select id from tillkit_payments where merchant_id = @merchantId and id > mark and id <= mark + 16
        and date >= @${date} order by id limit 1)
      from (select coalesce((select id from tillkit_payments where merchant_id = @merchantId and id % 16 = 0
        and date < @${date} order by date desc, id desc limit 1), 0) as mark limit 1))`
  const ends = db.prepare<unknown[], Numbers>(`select ${from('since')} as first, ${from('before')} as beyond`)
  const newest = db.prepare<unknown[], Numbers>(
    `select up_to as upTo, errors from tillkit_payment_blocks where merchant_id = ? and unresolved = ''
     order by up_to desc limit 1`,
  )
  const pending = db.prepare(
    `select count(*) as n from tillkit_payments where merchant_id = ? and status = 'pending' and status <> 'completed'`,
  )
  const failed = db.prepare(
    `select count(*) as n from tillkit_payments where merchant_id = ? and status = 'error' and status <> 'completed' and id > ?`,
  )
  const completed = db.prepare<unknown[], Row>(
    `select ${COLUMNS} from tillkit_payments where merchant_id = ? and status = 'completed' order by id desc limit ? offset ?`,
  )
  const countUser = db.prepare(
    'select count(*) as n from tillkit_payments where merchant_id = ? and user_reference = ?',
  )
  const user = db.prepare<unknown[], Row>(
    `select ${COLUMNS} from tillkit_payments where merchant_id = ? and user_reference = ? order by id desc limit ?`,
  )
  const period = db.prepare<unknown[], Numbers>(
    'select first_payment_id as first, last_payment_id as last from tillkit_cash_ups where merchant_id = ? and reference = ?',
  )
  const periodPage = db.prepare<unknown[], Row>(
    `select ${COLUMNS} from tillkit_payments where merchant_id = ? and id >= ? and id <= ? and status = 'completed'
     order by id desc limit ?`,
  )
  const advance = db.prepare<unknown[], Numbers>(
    `update tillkit_ledgers set last_payment_id = last_payment_id + 1, last_date = max(last_date, ?) where merchant_id = ?
     returning last_payment_id as id, last_date as date`,
  )
  const insert = db.prepare(
    `insert into tillkit_payments (merchant_id, id, status, date, total_amount, tip_amount, scan_code, scan_code_reference,
       user_reference, is_voucher, is_voucher_redemption, required_amount, merchant_reference, auth_code, strict, extra)
     values (?, ?, 'pending', ?, 1250, 0, 'till-1', 'Counter 1', 'user-1', 0, 0, 1250, 'order-1', '123456', 0, ?)`,
  )
  const change = db.prepare(
    `update tillkit_payments set status = 'completed' where merchant_id = ? and id = ? and status = 'pending'`,
  )
  const deliver = db.prepare(
    `insert into tillkit_deliveries (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
     select id, ?, 'pending', 0, 0, ?, ? from tillkit_merchants where id = ? and webhook_url is not null`,
  )

  const start = db.transaction((merchantId: string) => {
    const row = advance.get(`${new Date().toISOString().slice(0, 19)}Z`, merchantId)
    insert.run(merchantId, row?.id, row?.date, JSON.stringify({ waiter: 'Ann' }))
    return row?.id ?? 0
  })
  const complete = db.transaction((merchantId: string, id: number) => {
    const now = new Date().toISOString()
    if (change.run(merchantId, id).changes > 0) deliver.run(id, now, now, merchantId)
    return find.all(merchantId, id).map(payment).length
  })

  return {
    byId: async id => find.all(BIG, id).map(payment).length,
    async page(skip) {
      const end = (last.get(BIG)?.id ?? 0) - skip
      return run.all(BIG, end - PAGE, end).map(payment).length
    },
    async dates(startDate, endDate, skip) {
      const range = ends.get({ merchantId: BIG, since: startDate, before: endDate })
      const end = (range?.beyond ?? 0) - 1 - skip
      return run.all(BIG, Math.max(end - PAGE, (range?.first ?? 1) - 1), end).length
    },
    async completed(skip) {
      last.get(BIG)
      pending.get(BIG)
      failed.get(BIG, newest.get(BIG)?.upTo ?? 0)
      return completed.all(BIG, PAGE, skip).map(payment).length
    },
    async userReference(reference) {
      countUser.get(BIG, reference)
      return user.all(BIG, reference, PAGE).map(payment).length
    },
    async period() {
      const found = period.get(BIG, PERIOD)
      return periodPage.all(BIG, found?.first, found?.last, PAGE).map(payment).length
    },
    start: async merchantId => start.immediate(merchantId),
    complete: async (merchantId, id) => complete.immediate(merchantId, id),
  }
}
