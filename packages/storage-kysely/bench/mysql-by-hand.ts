import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise'
import { type Contender, PAGE, PERIOD } from './contender.ts'
import { BIG } from './fill.ts'

const COLUMNS = `merchant_id, id, status, date_format(date, '%Y-%m-%dT%H:%i:%sZ') as date, total_amount, tip_amount, scan_code,
  scan_code_reference, user_reference, statement_reference, is_voucher, is_voucher_redemption, required_amount,
  merchant_reference, auth_code, device_serial_number, strict, failure, extra`
const RUN = `select ${COLUMNS} from tillkit_payments where merchant_id = ? and id > ? and id <= ? order by id desc`

/** What a careful programmer writes for this one schema: SQL over mysql2, with the same answers. */
export function mysqlByHand(pool: Pool): Contender {
  const run = async (text: string, values: unknown[], on: Pool | PoolConnection = pool) =>
    (await on.query<RowDataPacket[]>(text, values))[0].map(row => ({
      ...row,
      ...(typeof row.extra === 'string' ? { extra: JSON.parse(row.extra) } : {}),
    })) as RowDataPacket[]
  const change = async (text: string, values: unknown[], on: PoolConnection) =>
    (await on.query<ResultSetHeader>(text, values))[0].affectedRows

  async function transaction<Result>(work: (connection: PoolConnection) => Promise<Result>): Promise<Result> {
    const connection = await pool.getConnection()
    try {
      await connection.query('begin')
      const result = await work(connection)
      await connection.query('commit')
      return result
    } catch (error) {
      await connection.query('rollback')
      throw error
    } finally {
      connection.release()
    }
  }

  return {
    byId: async id =>
      (await run(`select ${COLUMNS} from tillkit_payments where merchant_id = ? and id = ?`, [BIG, id]))
        .length,

    async page(skip) {
      const [ledger] = await run('select last_payment_id from tillkit_ledgers where merchant_id = ?', [BIG])
      const last = ledger?.last_payment_id - skip
      return (await run(RUN, [BIG, last - PAGE, last])).length
    },

    async dates(startDate, endDate, skip) {
      const from = `(select id from tillkit_payments where merchant_id = ? and date >= ? order by date, id limit 1)`
      const dates = [startDate, endDate].flatMap(date => [BIG, date.replace('T', ' ').replace('Z', '')])
      const [range] = await run(`select ${from} as first, ${from} as beyond`, dates)
      const last = range?.beyond - 1 - skip
      return (await run(RUN, [BIG, Math.max(last - PAGE, range?.first - 1), last])).length
    },

    async completed(skip) {
      const newest = `select up_to, errors from tillkit_payment_blocks where merchant_id = ? and unresolved = ''
        order by up_to desc limit 1`
      const [block] = await run(newest, [BIG])
      const failed = 'select count(*) from tillkit_payments where merchant_id = ? and status'
      const count = `select (select last_payment_id from tillkit_ledgers where merchant_id = ?)
        - ? - (${failed} = 'pending') - (${failed} = 'error' and id > ?) as total`
      await run(count, [BIG, block?.errors ?? 0, BIG, BIG, block?.up_to ?? 0])
      const text = `select ${COLUMNS} from tillkit_payments where merchant_id = ? and status = 'completed'
        order by id desc limit ? offset ?`
      return (await run(text, [BIG, PAGE, skip])).length
    },

    async userReference(reference) {
      await run('select count(*) from tillkit_payments where merchant_id = ? and user_reference = ?', [
        BIG,
        reference,
      ])
      const text = `select ${COLUMNS} from tillkit_payments where merchant_id = ? and user_reference = ?
        order by id desc limit ?`
      return (await run(text, [BIG, reference, PAGE])).length
    },

    async period() {
      const find = `select first_payment_id, last_payment_id, completed_total from tillkit_cash_ups
        where merchant_id = ? and reference = ?`
      const [period] = await run(find, [BIG, PERIOD])
      const text = `select ${COLUMNS} from tillkit_payments where merchant_id = ? and id >= ? and id <= ?
        and status = 'completed' order by id desc limit ?`
      return (await run(text, [BIG, period?.first_payment_id, period?.last_payment_id, PAGE])).length
    },

    start: merchantId =>
      transaction(async connection => {
        const lock = `select last_payment_id, date_format(last_date, '%Y-%m-%d %H:%i:%s') as last_date
          from tillkit_ledgers where merchant_id = ? for update`
        const [ledger] = await run(lock, [merchantId], connection)
        const id = ledger?.last_payment_id + 1
        const now = new Date().toISOString().slice(0, 19).replace('T', ' ')
        const date = ledger?.last_date > now ? ledger?.last_date : now
        const insert = `insert into tillkit_payments (merchant_id, id, status, date, total_amount, tip_amount, scan_code,
          scan_code_reference, user_reference, is_voucher, is_voucher_redemption, required_amount, merchant_reference,
          auth_code, strict, extra) values (?, ?, 'pending', ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, 0, ?)`
        const order = [
          1250,
          0,
          'till-1',
          'Counter 1',
          'user-1',
          1250,
          'order-1',
          '123456',
          '{"waiter":"Ann"}',
        ]
        await change(insert, [merchantId, id, date, ...order], connection)
        const advance = 'update tillkit_ledgers set last_payment_id = ?, last_date = ? where merchant_id = ?'
        await change(advance, [id, date, merchantId], connection)
        return id
      }),

    complete: (merchantId, id) =>
      transaction(async connection => {
        const update = `update tillkit_payments set status = 'completed'
          where merchant_id = ? and id = ? and status = 'pending'`
        const changed = await change(update, [merchantId, id], connection)
        const insert = `insert into tillkit_deliveries
          (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
          select id, ?, 'pending', 0, 0, ?, ? from tillkit_merchants where id = ? and webhook_url is not null`
        const now = new Date().toISOString().replace('T', ' ').replace('Z', '')
        if (changed > 0) await change(insert, [id, now, now, merchantId], connection)
        const find = `select ${COLUMNS} from tillkit_payments where merchant_id = ? and id = ?`
        return (await run(find, [merchantId, id], connection)).length
      }),
  }
}
