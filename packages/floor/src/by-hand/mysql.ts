import mysql, { type Pool, type PoolConnection, type RowDataPacket } from 'mysql2/promise'
import { authCode, type ByHand, PAGE, type Page, payment, SHOWN } from './by-hand.ts'

type Values = (string | number)[]

/** Prepared statements of mysql2, rows as arrays; the merchant of a key is remembered, since no join of the two is fast. */
export function mysqlByHand(uri: string): ByHand {
  const pool = mysql.createPool({ uri, rowsAsArray: true, dateStrings: true })
  pool.on('connection', connection => {
    connection.query('set session transaction isolation level read committed')
  })
  const run = async (sql: string, values: Values, on: Pool | PoolConnection = pool) =>
    (await on.execute<RowDataPacket[][]>(sql, values))[0] as unknown[][]

  const columns = SHOWN.map(name => `p.${name}`).join(', ')
  const shown = (row: unknown[], at = 0) => {
    const date = String(row[at + 2])
    row[at + 2] = `${date.slice(0, 10)}T${date.slice(11, 19)}Z`
    row[at + 9] = row[at + 9] === 1
    row[at + 10] = row[at + 10] === 1
    const extra = row[at + 14]
    if (typeof extra === 'string') row[at + 14] = JSON.parse(extra)
    return payment(row, at)
  }
  const paged = (rows: unknown[][]): Page => {
    const [first] = rows
    return { items: rows.map(row => shown(row, 1)), total: Number(first?.[0] ?? 0) }
  }
  const only = (rows: unknown[][]) => (rows[0] ? shown(rows[0]) : null)

  const last = '(select last_payment_id from tillkit_ledgers where merchant_id = ?)'
  const find = `select ${columns} from tillkit_payments p where merchant_id = ? and id = ?`
  const page = `select ${last}, ${columns} from tillkit_payments p
    where merchant_id = ? and id <= ${last} - ? and id > ${last} - ? order by id desc`
  const newest = `select last_payment_id, coalesce(up_to, 0), coalesce(errors, 0) from tillkit_ledgers
    left join (select up_to, errors from tillkit_payment_blocks where merchant_id = ? and unresolved = ''
      order by up_to desc limit 1) as newest on true where merchant_id = ?`
  const failed = '(select count(*) from tillkit_payments where merchant_id = ? and status'
  const completed = `select ? - ${failed} = 'pending') - ${failed} = 'error' and id > ?), ${columns}
    from tillkit_payments p where merchant_id = ? and status = 'completed' order by id desc limit ${PAGE} offset ?`
  const ofPeriod = (column: string) =>
    `(select ${column} from tillkit_cash_ups where merchant_id = ? and reference = ?)`
  const period = `select ${ofPeriod('completed_total')}, ${columns} from tillkit_payments p where merchant_id = ?
    and id >= ${ofPeriod('first_payment_id')} and id <= ${ofPeriod('last_payment_id')}
    and status = 'completed' order by id desc limit ${PAGE}`
  const advance = `update tillkit_ledgers set last_payment_id = last_insert_id(last_payment_id + 1),
    last_date = greatest(last_date, utc_timestamp()) where merchant_id = ?`
  const insert = `insert into tillkit_payments (merchant_id, id, status, date, total_amount, tip_amount, scan_code,
      is_voucher, is_voucher_redemption, required_amount, merchant_reference, auth_code, strict, extra)
    select merchant_id, last_payment_id, 'pending', last_date, ?, 0, ?, 0, 0, ?, ?, ?, 0, '{}'
    from tillkit_ledgers where merchant_id = ?`
  const returning = `${insert} returning ${SHOWN.join(', ')}`
  const resolve = `update tillkit_payments set status = 'completed' where merchant_id = ? and id = ? and status = 'pending'`
  const deliver = `insert into tillkit_deliveries
      (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
    select id, ?, 'pending', 0, 0, utc_timestamp(3), utc_timestamp(3) from tillkit_merchants
    where id = ? and webhook_url is not null`

  const owners = new Map<string, string>()
  async function ownerOf(key: string): Promise<string> {
    const known = owners.get(key)
    if (known !== undefined) return known
    const [row] = await run('select merchant_id from tillkit_api_keys where hash = ?', [key])
    owners.set(key, String(row?.[0]))
    return String(row?.[0])
  }

  let engine: Promise<boolean> | undefined
  /** Whether an insert answers with its row. */
  const isMariadb = (on: PoolConnection) =>
    (engine ??= run('select version()', [], on).then(([row]) => `${row}`.includes('MariaDB')))

  async function transaction(work: (connection: PoolConnection) => Promise<unknown[][]>) {
    const connection = await pool.getConnection()
    try {
      await connection.query('begin')
      const result = await work(connection)
      await connection.query('commit')
      return only(result)
    } catch (error) {
      await connection.query('rollback')
      throw error
    } finally {
      connection.release()
    }
  }

  return {
    find: async (key, id) => only(await run(find, [await ownerOf(key), id])),
    async page(key, skip) {
      const m = await ownerOf(key)
      return paged(await run(page, [m, m, m, skip, m, skip + PAGE]))
    },
    async completed(key, skip) {
      const m = await ownerOf(key)
      const [row] = await run(newest, [m, m])
      const [total = 0, upTo = 0, errors = 0] = row as number[]
      return paged(await run(completed, [total - errors, m, m, upTo, m, `${skip}`]))
    },
    async period(key, reference) {
      const m = await ownerOf(key)
      const found = [m, reference]
      return paged(await run(period, [...found, m, ...found, ...found]))
    },
    async start(key, { totalAmount, scanCode, requiredAmount, merchantReference }) {
      const m = await ownerOf(key)
      return transaction(async connection => {
        const [advanced] = await connection.execute(advance, [m])
        const order = [totalAmount, scanCode, requiredAmount, merchantReference, authCode()]
        if (await isMariadb(connection)) return run(returning, [...order, m], connection)
        await connection.execute(insert, [...order, m])
        return run(find, [m, (advanced as { insertId: number }).insertId], connection)
      })
    },
    async complete(key, id) {
      const m = await ownerOf(key)
      return transaction(async connection => {
        await connection.execute(resolve, [m, id])
        await connection.execute(deliver, [id, m])
        return run(find, [m, id], connection)
      })
    },
  }
}
