import type { DialectName } from '../src/index.ts'
import { mysqlNumbers } from '../test/engines/numbers.ts'

/** The merchant with many payments, a second apart, and how its neighbours are called. */
export const BIG = 'big'
export const small = (n: number) => `small-${n}`
export const SMALL = 99
const SMALL_COUNT = 500

/** The reference of the one cash up: of the first thousand payments of the merchant with many. */
export const PERIOD = 'c'.repeat(32)

/** Statements that fill empty tables: `count` payments of one merchant, 96 of 100 completed, beside those of 99 small ones. */
export function fillStatements(
  dialect: DialectName,
  count: number,
  table: (name: string) => string,
): string[] {
  const merchants = [BIG, ...Array.from({ length: SMALL }, (_, n) => small(n))]
  const [yes, no] = dialect === 'postgres' ? ['true', 'false'] : ['1', '0']
  const quoted = (text: string) => `'${text}'`
  const date = (id: string) =>
    ({
      postgres: `timestamptz '2026-01-01 00:00:00+00' + ${id} * interval '1 second'`,
      mysql: `timestampadd(second, ${id}, '2026-01-01 00:00:00')`,
      sqlite: `strftime('%Y-%m-%dT%H:%M:%SZ', '2026-01-01T00:00:00Z', ${id} || ' seconds')`,
    })[dialect]
  const series = (last: number) =>
    ({
      postgres: `(select generate_series(1, ${last}) as id) as n`,
      mysql: `(select n as id from ${mysqlNumbers(1, last)} as given) as n`,
      sqlite: `(with recursive n(id) as (select 1 union all select id + 1 from n where id < ${last}) select id from n) as n`,
    })[dialect]
  const text = (parts: string[]) => (dialect === 'mysql' ? `concat(${parts.join(', ')})` : parts.join(' || '))
  const json = dialect === 'postgres' ? `'{"waiter": "Ann"}'::jsonb` : `'{"waiter":"Ann"}'`

  const payments = (merchantId: string, last: number) => `
    insert into ${table('payments')} (merchant_id, id, status, date, total_amount, tip_amount, scan_code,
      scan_code_reference, user_reference, statement_reference, is_voucher, is_voucher_redemption, required_amount,
      merchant_reference, auth_code, device_serial_number, strict, failure, extra, attempt_key, guarded_reference)
    select ${quoted(merchantId)}, n.id,
      case when n.id > ${last} - 100 then 'pending' when n.id % 25 = 0 then 'error' else 'completed' end,
      ${date('n.id')}, n.id % 10000 + 100, null, ${text([quoted('till-'), '(n.id % 20)'])},
      ${text([quoted('Counter '), '(n.id % 20)'])}, ${text([quoted('user-'), '(n.id % 5000)'])},
      case when n.id % 25 = 0 or n.id > ${last} / 2 then null else ${text([quoted('BANK-'), '(n.id % 1000)'])} end,
      ${no}, ${no}, n.id % 10000 + 100, ${text([quoted('order-'), 'n.id'])}, '123456', null, ${no}, null, ${json}, null, null
    from ${series(last)}`

  const statements = merchants.flatMap(id => [
    `insert into ${table('merchants')} (id, name, webhook_url, webhook_key, tips, user_references, device_lists, created_at)
     values (${quoted(id)}, 'Shop', 'https://shop.example/hook', null, ${yes}, ${yes}, ${no}, ${date('0')})`,
    `insert into ${table('ledgers')} (merchant_id, last_payment_id, last_date, last_cash_up_number, last_cash_up_payment_id)
     values (${quoted(id)}, ${id === BIG ? count : SMALL_COUNT}, ${date(`${id === BIG ? count : SMALL_COUNT}`)}, 1, ${id === BIG ? 1000 : 0})`,
    payments(id, id === BIG ? count : SMALL_COUNT),
  ])
  return [
    ...statements,
    `insert into ${table('cash_ups')} (merchant_id, number, reference, date, first_payment_id, last_payment_id, idempotency_key, completed_total)
     values (${quoted(BIG)}, 1, '${PERIOD}', ${date('1000')}, 1, 1000, null, 960)`,
    dialect === 'mysql' ? `analyze table ${table('payments')}` : `analyze ${table('payments')}`,
  ]
}
