import Database from 'better-sqlite3'
import { authCode, type ByHand, PAGE, payment, SHOWN } from './by-hand.ts'

/** Prepared statements of better-sqlite3, rows as arrays; the merchant of a key is remembered, as there is no round trip to save. */
export function sqliteByHand(file: string): ByHand {
  const db = new Database(file)
  db.pragma('synchronous = FULL')
  const columns = SHOWN.join(', ')
  const rows = (text: string) => db.prepare<unknown[], unknown[]>(text).raw()
  const value = (text: string) => db.prepare<unknown[], number>(text).pluck()

  const owner = db
    .prepare<unknown[], string>('select merchant_id from tillkit_api_keys where hash = ?')
    .pluck()
  const find = rows(`select ${columns} from tillkit_payments where merchant_id = ? and id = ?`)
  const last = value('select last_payment_id from tillkit_ledgers where merchant_id = ?')
  const run = rows(
    `select ${columns} from tillkit_payments where merchant_id = ? and id <= ? and id > ? order by id desc`,
  )
  const newest = rows(
    `select up_to, errors from tillkit_payment_blocks where merchant_id = ? and unresolved = '' order by up_to desc limit 1`,
  )
  const pending = value(
    `select count(*) from tillkit_payments where merchant_id = ? and status = 'pending' and status <> 'completed'`,
  )
  const failed = value(
    `select count(*) from tillkit_payments where merchant_id = ? and status = 'error' and status <> 'completed' and id > ?`,
  )
  const completed = rows(
    `select ${columns} from tillkit_payments where merchant_id = ? and status = 'completed' order by id desc limit ${PAGE} offset ?`,
  )
  const period = rows(
    'select first_payment_id, last_payment_id, completed_total from tillkit_cash_ups where merchant_id = ? and reference = ?',
  )
  const within = rows(
    `select ${columns} from tillkit_payments where merchant_id = ? and id >= ? and id <= ? and status = 'completed'
     order by id desc limit ${PAGE}`,
  )
  const advance = rows(
    `update tillkit_ledgers set last_payment_id = last_payment_id + 1, last_date = max(last_date, ?) where merchant_id = ?
     returning last_payment_id, last_date`,
  )
  const insert = rows(
    `insert into tillkit_payments (merchant_id, id, status, date, total_amount, tip_amount, scan_code, is_voucher,
       is_voucher_redemption, required_amount, merchant_reference, auth_code, strict, extra)
     values (?, ?, 'pending', ?, ?, 0, ?, 0, 0, ?, ?, ?, 0, '{}') returning ${columns}`,
  )
  const resolve = rows(
    `update tillkit_payments set status = 'completed' where merchant_id = ? and id = ? and status = 'pending'
     returning ${columns}`,
  )
  const deliver = db.prepare(
    `insert into tillkit_deliveries (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
     select id, ?, 'pending', 0, 0, ?, ? from tillkit_merchants where id = ? and webhook_url is not null`,
  )

  const owners = new Map<string, string>()
  const ownerOf = (key: string) => {
    const known = owners.get(key) ?? owner.get(key)
    if (known !== undefined) owners.set(key, known)
    return known
  }
  /** SQLite has neither booleans nor JSON. */
  const shown = (row: unknown[]) => {
    row[9] = row[9] === 1
    row[10] = row[10] === 1
    row[14] = JSON.parse(String(row[14]))
    return payment(row)
  }
  const start = db.transaction((merchant: string, order: unknown[]) => {
    const [id, date] = advance.get(`${new Date().toISOString().slice(0, 19)}Z`, merchant) ?? []
    return insert.get(merchant, id, date, ...order) as unknown[]
  })
  const complete = db.transaction((merchant: string, id: number) => {
    const row = resolve.get(merchant, id)
    const now = new Date().toISOString()
    if (row) deliver.run(id, now, now, merchant)
    return row
  })

  return {
    async find(key, id) {
      const row = find.get(ownerOf(key), id)
      return row ? shown(row) : null
    },
    async page(key, skip) {
      const merchant = ownerOf(key)
      const total = last.get(merchant) ?? 0
      return { items: run.all(merchant, total - skip, total - skip - PAGE).map(shown), total }
    },
    async completed(key, skip) {
      const merchant = ownerOf(key)
      const [upTo, errors] = (newest.get(merchant) ?? [0, 0]) as number[]
      const others = (errors ?? 0) + (pending.get(merchant) ?? 0) + (failed.get(merchant, upTo) ?? 0)
      return { items: completed.all(merchant, skip).map(shown), total: (last.get(merchant) ?? 0) - others }
    },
    async period(key, reference) {
      const merchant = ownerOf(key)
      const [from, to, total] = (period.get(merchant, reference) ?? []) as number[]
      return { items: within.all(merchant, from, to).map(shown), total: total ?? 0 }
    },
    async start(key, { totalAmount, scanCode, requiredAmount, merchantReference }) {
      const order = [totalAmount, scanCode, requiredAmount, merchantReference, authCode()]
      return shown(start.immediate(ownerOf(key) ?? '', order))
    },
    async complete(key, id) {
      const row = complete.immediate(ownerOf(key) ?? '', id)
      return row ? shown(row) : null
    },
  }
}
