import type { DialectName } from '../../src/index.ts'
import { mysqlNumbers } from '../engines/numbers.ts'

/** How much there is of everything. */
export interface Size {
  /** Payments of the one merchant. */
  big: number
  /** Merchants of one payment each. */
  small: number
  /** Deliveries, and as many payments, that wait. */
  backlog: number
}

/** The merchant with many payments. */
export const BIG = 'big'

const TABLES = [
  'merchants',
  'ledgers',
  'api_keys',
  'scan_codes',
  'payments',
  'payment_blocks',
  'payment_sums',
  'cash_ups',
  'statements',
  'settlements',
  'deliveries',
  'delivery_attempts',
  'failing_endpoints',
].map(name => `tillkit_${name}`)

/** Takes all rows away. */
export const clearedOf = (dialect: DialectName): string[] =>
  dialect === 'postgres' ? [`truncate ${TABLES.join(', ')}`] : TABLES.map(table => `delete from ${table}`)

const PAYMENT = `merchant_id, id, status, date, total_amount, scan_code, scan_code_reference, user_reference,
  statement_reference, is_voucher, is_voucher_redemption, merchant_reference, strict, extra, attempt_key`
const DELIVERY = `merchant_id, payment_id, state, attempts, fence, next_attempt_at, last_attempt_at, last_status, created_at`

/** The statements by which a scene comes about, over tables with plain names. */
export function sqlOf(dialect: DialectName) {
  const [yes, no] = dialect === 'postgres' ? ['true', 'false'] : ['1', '0']
  const text = (...parts: string[]) =>
    dialect === 'mysql' ? `concat(${parts.join(', ')})` : parts.join(' || ')
  /** The rows `n` from `first` to `last`. */
  const series = (first: number | string, last: number | string) =>
    ({
      postgres: `generate_series(${first}, ${last}) as s(n)`,
      mysql: `${mysqlNumbers(first, last)} as s`,
      sqlite: `(with recursive s(n) as (select ${first} union all select n + 1 from s where n < ${last}) select n from s) as s`,
    })[dialect]
  const at = (seconds: string) =>
    ({
      postgres: `timestamptz '2026-01-01 00:00:00+00' + ${seconds} * interval '1 second'`,
      mysql: `timestampadd(second, ${seconds}, '2026-01-01 00:00:00')`,
      sqlite: `strftime('%Y-%m-%dT%H:%M:%SZ', '2026-01-01T00:00:00Z', ${seconds} || ' seconds')`,
    })[dialect]
  const instant = (seconds: string) =>
    dialect === 'sqlite' ? `replace(${at(seconds)}, 'Z', '.000Z')` : at(seconds)

  const small = text(`'small-'`, 'n')
  const merchants = (id: string, from: string, payments: number) => [
    `insert into tillkit_merchants (id, name, webhook_url, tips, user_references, device_lists, created_at)
     select ${id}, 'Shop', 'https://shop.example/hook', ${yes}, ${yes}, ${no}, ${instant('0')} from ${from}`,
    `insert into tillkit_ledgers (merchant_id, last_payment_id, last_date, last_cash_up_number, last_cash_up_payment_id)
     select ${id}, ${payments}, ${at(`${payments}`)}, ${payments} / 100, ${payments} from ${from}`,
    `insert into tillkit_api_keys (merchant_id, id, hash, created_at)
     select ${id}, 'key', ${text(`'hash-'`, id)}, ${instant('0')} from ${from}`,
    `insert into tillkit_scan_codes (code, merchant_id, created_at)
     select ${text(`'code-'`, id)}, ${id}, ${instant('0')} from ${from}`,
  ]
  const payments = (merchant: string, id: string, status: string, from: string) => `
    insert into tillkit_payments (${PAYMENT})
    select ${merchant}, ${id}, ${status}, ${at('n')}, n, ${text(`'desk-'`, '(n % 20)')}, ${text(`'Desk '`, '(n % 20)')},
      ${text(`'guest-'`, '(n % 500)')}, case when n % 25 = 0 then null else ${text(`'SEPA-'`, '(n % 30)')} end,
      ${no}, ${no}, ${text(`'cart-'`, 'n')}, ${no}, '{}', ${text(`'5f0c1c9e-1f0b-4d55-9d0a-try-'`, id, `'-'`, 'n')} from ${from}`
  const delivered = (merchant: string, id: string, from: string, waiting = 'n < 0') => [
    `insert into tillkit_deliveries (${DELIVERY})
     select ${merchant}, ${id}, case when ${waiting} then 'pending' when n % 500 = 0 then 'exhausted' else 'delivered' end,
       1, 2, case when ${waiting} then ${instant('n')} end, ${instant('n')}, 200, ${instant('n')} from ${from}`,
    `insert into tillkit_delivery_attempts (merchant_id, payment_id, number, began_at, status, milliseconds)
     select ${merchant}, ${id}, 1, ${instant('n')}, 200, 12 from ${from}`,
  ]
  const known = `case when n % 25 = 0 then 'error' else 'completed' end`

  const counted = (merchant: string, from: string, size: number) => [
    `insert into tillkit_payment_blocks (merchant_id, up_to, errors, unresolved)
     select ${merchant}, ${size === 1 ? 1 : `n * ${size}`}, 0, case when n % 100 = 0 then '1,2' else '' end from ${from}`,
  ]

  const summed = (merchant: string, from: string, size: number) => [
    `insert into tillkit_payment_sums (merchant_id, first_id, last_id, first_date, last_date, unresolved, totals, takings)
     select ${merchant}, ${size === 1 ? '1, 1' : `(n - 1) * ${size} + 1, n * ${size}`}, ${size === 1 ? at('n') : at(`((n - 1) * ${size} + 1)`)},
       ${size === 1 ? at('n') : at(`(n * ${size})`)}, '', '{}', '[]' from ${from}`,
  ]

  const settled = (merchant: string, reference: string, from: string) => `
    insert into tillkit_settlements (merchant_id, statement_reference, payment_count, total_amount, total_fees)
    select ${merchant}, ${reference}, 1, n, 0 from ${from}`

  return {
    analyze: {
      postgres: TABLES.map(table => `analyze ${table}`),
      // MariaDB keeps statistics of its own besides, where it is asked to.
      mysql: TABLES.map(table => `analyze table ${table} /*M! persistent for all */`),
      sqlite: ['analyze'],
    }[dialect],

    fill: ({ big, small: count }: Size) => [
      ...merchants(`'${BIG}'`, series(1, 1), big),
      ...merchants(small, series(1, count), 1),
      payments(`'${BIG}'`, 'n', `case when n > ${big - 30} then 'pending' else ${known} end`, series(1, big)),
      payments(small, '1', known, series(1, count)),
      `insert into tillkit_cash_ups (merchant_id, number, reference, date, first_payment_id, last_payment_id)
       select '${BIG}', n, ${text(`'period-'`, 'n')}, ${at('(n * 100)')}, n * 100 - 99, n * 100 from ${series(1, Math.floor(big / 100))}`,
      `insert into tillkit_statements (reference, started_at)
       select ${text(`'SEPA-'`, 'n')}, ${instant('n')} from ${series(1, 1000)}`,
      settled(`'${BIG}'`, text(`'SEPA-'`, 'n'), series(1, 1000)),
      settled(small, `'SEPA-1'`, series(1, count)),
      ...counted(`'${BIG}'`, series(1, Math.floor(big / 4)), 4),
      ...counted(small, series(1, count), 1),
      ...summed(`'${BIG}'`, series(1, Math.floor(big / 4)), 4),
      ...summed(small, series(1, count), 1),
      // A few wait at any time.
      `insert into tillkit_cash_ups (merchant_id, number, reference, date, first_payment_id, last_payment_id)
       select ${small}, 1, 'period-1', ${at('n')}, 1, 1 from ${series(1, count)}`,
      ...delivered(`'${BIG}'`, 'n', series(1, big), `n > ${big - 30}`),
      ...delivered(small, '1', series(1, count)),
    ],

    backlog: ({ big, small: count, backlog }: Size) => [
      payments(`'${BIG}'`, 'n', `'pending'`, series(big + 1, big + backlog)),
      payments(small, '2', `'pending'`, series(1, Math.floor(count / 2))),
      payments(`'${BIG}'`, 'n', known, series(big + backlog + 1, big + 2 * backlog)),
      `update tillkit_ledgers set last_payment_id = ${big + 2 * backlog} where merchant_id = '${BIG}'`,
      `insert into tillkit_deliveries (${DELIVERY})
       select '${BIG}', n, 'pending', 0, 0, ${instant('n')}, null, null, ${instant('n')} from ${series(big + backlog + 1, big + 2 * backlog)}`,
      `insert into tillkit_failing_endpoints (merchant_id, failing_since, paused_at)
       select ${small}, ${instant('n')}, case when n % 2 = 0 then ${instant('n')} end from ${series(1, Math.floor(count / 10))}`,
    ],

    empty: ({ big }: Size) => [
      ...keptAlone('tillkit_payments', `merchant_id = '${BIG}' and id >= ${big - 100}`),
      ...keptAlone('tillkit_payment_blocks', `merchant_id = '${BIG}' and up_to >= ${big - 100}`),
      ...keptAlone('tillkit_payment_sums', `merchant_id = '${BIG}' and last_id >= ${big - 100}`),
      ...keptAlone('tillkit_deliveries', `state = 'pending'`),
      ...keptAlone('tillkit_delivery_attempts', 'number > 1'),
      ...keptAlone('tillkit_failing_endpoints', 'paused_at is not null'),
    ],
  }

  /** Leaves the rows that pass alone. PostgreSQL keeps those that are deleted as long as any session may look at them. */
  function keptAlone(table: string, passing: string): string[] {
    if (dialect !== 'postgres') return [`delete from ${table} where not (${passing})`]
    return [
      `begin; create temporary table kept on commit drop as select * from ${table} where ${passing};
       truncate ${table}; insert into ${table} select * from kept; commit`,
    ]
  }
}
