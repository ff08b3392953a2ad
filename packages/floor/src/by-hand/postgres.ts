import pg from 'pg'
import { authCode, type ByHand, PAGE, type Page, payment, SHOWN } from './by-hand.ts'

const BIGINT = 20
const TIMESTAMPTZ = 1184

/** Raw pg: one named statement a request, rows as arrays, the key checked by the statement that answers. */
export function postgresByHand(connectionString: string, schema: string): ByHand {
  const types = new pg.TypeOverrides()
  types.setTypeParser(BIGINT, Number)
  types.setTypeParser(TIMESTAMPTZ, text => `${text.slice(0, 10)}T${text.slice(11, 19)}Z`)
  // Of few merchants a planner reads the tables whole where it may, which is slower.
  const options = '-c timezone=UTC -c enable_seqscan=off'
  const pool = new pg.Pool({ connectionString, options, types })
  const run = async (name: string, text: string, values: unknown[]): Promise<unknown[][]> =>
    (await pool.query({ name, text, values, rowMode: 'array' })).rows

  const table = (name: string) => `${schema}.tillkit_${name}`
  const columns = SHOWN.map(name => `p.${name}`).join(', ')
  const ledger = `${table('api_keys')} k join ${table('ledgers')} l on l.merchant_id = k.merchant_id`
  const paged = (rows: unknown[][]): Page => {
    const [first] = rows
    if (!first) return null
    return { items: first[1] === null ? [] : rows.map(row => payment(row, 1)), total: Number(first[0]) }
  }
  const only = (rows: unknown[][]) => (rows[0] && rows[0][0] !== null ? payment(rows[0]) : null)

  const find = `select ${columns} from ${table('api_keys')} k
    left join ${table('payments')} p on p.merchant_id = k.merchant_id and p.id = $2 where k.hash = $1`
  const page = `select l.last_payment_id, ${columns} from ${ledger}
    left join lateral (select * from ${table('payments')} p where p.merchant_id = l.merchant_id
      and p.id <= l.last_payment_id - $2 and p.id > l.last_payment_id - $2 - ${PAGE} order by p.id desc) p on true
    where k.hash = $1`
  const failed = (which: string) =>
    `(select count(*) from ${table('payments')} f where f.merchant_id = l.merchant_id
      and (case when f.status <> 'completed' then f.status end) = ${which})`
  // Counted once, beside the page: in its select list it would be for each row.
  const completed = `select t.total, ${columns} from ${ledger}
    left join lateral (select up_to, errors from ${table('payment_blocks')} b where b.merchant_id = l.merchant_id
      and b.unresolved = '' order by b.up_to desc limit 1) b on true
    cross join lateral (select l.last_payment_id - coalesce(b.errors, 0) - ${failed(`'pending'`)}
      - ${failed(`'error' and f.id > coalesce(b.up_to, 0)`)} as total offset 0) t
    left join lateral (select * from ${table('payments')} p where p.merchant_id = l.merchant_id
      and p.status = 'completed' order by p.id desc limit ${PAGE} offset $2) p on true
    where k.hash = $1`
  const period = `select c.completed_total, ${columns} from ${table('api_keys')} k
    join ${table('cash_ups')} c on c.merchant_id = k.merchant_id and c.reference = $2
    left join lateral (select * from ${table('payments')} p where p.merchant_id = c.merchant_id
      and p.id >= c.first_payment_id and p.id <= c.last_payment_id and p.status = 'completed'
      order by p.id desc limit ${PAGE}) p on true
    where k.hash = $1`
  const start = `with l as (update ${table('ledgers')} set last_payment_id = last_payment_id + 1,
      last_date = greatest(last_date, date_trunc('second', clock_timestamp()))
      where merchant_id = (select merchant_id from ${table('api_keys')} where hash = $1)
      returning merchant_id, last_payment_id, last_date)
    insert into ${table('payments')} as p (merchant_id, id, status, date, total_amount, tip_amount, scan_code,
      is_voucher, is_voucher_redemption, required_amount, merchant_reference, auth_code, strict, extra)
    select merchant_id, last_payment_id, 'pending', last_date, $2, 0, $3, false, false, $4, $5, $6, false, '{}' from l
    returning ${columns}`
  const complete = `with p as (update ${table('payments')} p set status = 'completed' from ${table('api_keys')} k
      where k.hash = $1 and p.merchant_id = k.merchant_id and p.id = $2 and p.status = 'pending' returning p.*),
    delivery as (insert into ${table('deliveries')}
      (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
      select p.merchant_id, p.id, 'pending', 0, 0, now(), now() from p
      join ${table('merchants')} m on m.id = p.merchant_id where m.webhook_url is not null)
    select ${columns} from p`

  return {
    find: async (key, id) => only(await run('find', find, [key, id])),
    page: async (key, skip) => paged(await run('page', page, [key, skip])),
    completed: async (key, skip) => paged(await run('completed', completed, [key, skip])),
    period: async (key, reference) => paged(await run('period', period, [key, reference])),
    start: async (key, { totalAmount, scanCode, requiredAmount, merchantReference }) =>
      only(
        await run('start', start, [
          key,
          totalAmount,
          scanCode,
          requiredAmount,
          merchantReference,
          authCode(),
        ]),
      ),
    complete: async (key, id) => only(await run('complete', complete, [key, id])),
  }
}
