import type pg from 'pg'
import { type Contender, PAGE, PERIOD } from './contender.ts'
import { BIG } from './fill.ts'

const WIRE = `to_char(date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as date`
const COLUMNS = `merchant_id, id, status, ${WIRE}, total_amount, tip_amount, scan_code, scan_code_reference, user_reference,
  statement_reference, is_voucher, is_voucher_redemption, required_amount, merchant_reference, auth_code,
  device_serial_number, strict, failure, extra`

/** What a careful programmer writes for this one schema: named statements over pg, with the same answers. */
export function postgresByHand(pool: pg.Pool, schema: string): Contender {
  const payments = `${schema}.tillkit_payments`
  const ledgers = `${schema}.tillkit_ledgers`
  const run = async (name: string, text: string, values: unknown[]) =>
    (await pool.query({ name, text, values })).rows
  const firstFrom = (n: number) =>
    `(select (select id from ${payments} where merchant_id = $1 and id > mark and id <= mark + 16 and date >= $${n}
        order by id limit 1)
      from (select coalesce((select id from ${payments} where merchant_id = $1 and id % 16 = 0 and date < $${n}
        order by date desc, id desc limit 1), 0) as mark limit 1) as marked)`

  return {
    byId: async id =>
      (await run('get', `select ${COLUMNS} from ${payments} where merchant_id = $1 and id = $2`, [BIG, id]))
        .length,

    async page(skip) {
      const [ledger] = await run('last', `select last_payment_id from ${ledgers} where merchant_id = $1`, [
        BIG,
      ])
      const last = Number(ledger.last_payment_id) - skip
      const text = `select ${COLUMNS} from ${payments} where merchant_id = $1 and id > $2 and id <= $3 order by id desc`
      return (await run('page', text, [BIG, last - PAGE, last])).length
    },

    async dates(startDate, endDate, skip) {
      const ends = `select ${firstFrom(2)} as first, ${firstFrom(3)} as beyond`
      const [range] = await run('ends', ends, [BIG, startDate, endDate])
      const last = Number(range.beyond) - 1 - skip
      const text = `select ${COLUMNS} from ${payments} where merchant_id = $1 and id > $2 and id <= $3 order by id desc`
      return (await run('page', text, [BIG, Math.max(last - PAGE, Number(range.first) - 1), last])).length
    },

    async completed(skip) {
      const failed = `(select count(*) from ${payments}
        where merchant_id = $1 and (case when status <> 'completed' then status end)`
      const count = `select last_payment_id - coalesce(b.errors, 0) - ${failed} = 'pending')
          - ${failed} = 'error' and id > coalesce(b.up_to, 0)) as total
        from ${ledgers} left join lateral (select up_to, errors from ${schema}.tillkit_payment_blocks
          where merchant_id = $1 and unresolved = '' order by up_to desc limit 1) b on true where merchant_id = $1`
      await run('count', count, [BIG])
      const text = `select ${COLUMNS} from ${payments} where merchant_id = $1 and status = 'completed'
        order by id desc limit ${PAGE} offset $2`
      return (await run('completed', text, [BIG, skip])).length
    },

    async userReference(reference) {
      const count = `select count(*) from ${payments} where merchant_id = $1 and user_reference = $2`
      await run('user-count', count, [BIG, reference])
      const text = `select ${COLUMNS} from ${payments} where merchant_id = $1 and user_reference = $2
        order by (id >> 8) desc, id desc limit ${PAGE}`
      return (await run('user', text, [BIG, reference])).length
    },

    async period() {
      const find = `select first_payment_id, last_payment_id, completed_total from ${schema}.tillkit_cash_ups
        where merchant_id = $1 and reference = $2`
      const [period] = await run('period', find, [BIG, PERIOD])
      const text = `select ${COLUMNS} from ${payments} where merchant_id = $1 and id >= $2 and id <= $3
        and status = 'completed' order by id desc limit ${PAGE}`
      return (await run('period-page', text, [BIG, period.first_payment_id, period.last_payment_id])).length
    },

    async start(merchantId) {
      const text = `with ledger as (update ${ledgers} set last_payment_id = last_payment_id + 1,
          last_date = greatest(last_date, $2) where merchant_id = $1 returning last_payment_id, last_date)
        insert into ${payments} (merchant_id, id, status, date, total_amount, tip_amount, scan_code, scan_code_reference,
          user_reference, is_voucher, is_voucher_redemption, required_amount, merchant_reference, auth_code, strict, extra)
        select $1, last_payment_id, 'pending', last_date, $3, $4, $5, $6, $7, false, false, $8, $9, $10, false, $11 from ledger
        returning id, ${WIRE}`
      const now = `${new Date().toISOString().slice(0, 19)}Z`
      const order = [1250, 0, 'till-1', 'Counter 1', 'user-1', 1250, 'order-1', '123456', '{"waiter":"Ann"}']
      const [row] = await run('start', text, [merchantId, now, ...order])
      return Number(row.id)
    },

    async complete(merchantId, id) {
      const text = `with changed as (update ${payments} set status = 'completed'
          where merchant_id = $1 and id = $2 and status = 'pending' returning *),
        delivery as (insert into ${schema}.tillkit_deliveries
          (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
          select merchant_id, changed.id, 'pending', 0, 0, $3, $3 from changed
          join ${schema}.tillkit_merchants m on m.id = merchant_id where webhook_url is not null)
        select ${COLUMNS} from changed`
      return (await run('complete', text, [merchantId, id, new Date().toISOString()])).length
    },
  }
}
