import type { DialectName } from '../../src/index.ts'

/** The merchants, ids as random as made-up ones. */
export function merchantIds(count: number): string[] {
  return Array.from({ length: count }, (_, n) =>
    ((n + 1) * 2_654_435_761_987).toString(36).padStart(20, 'q1w8e3r4t9y2'),
  )
}

/**
 * Statements that write what was: `payments` of each merchant, in turns, all delivered at the first attempt. References and codes of
 * payments are alike, or at `random`, where it matters how well they are compressed.
 */
export function historyStatements(
  dialect: DialectName,
  merchants: string[],
  payments: number,
  values: 'alike' | 'random' = 'alike',
): string[] {
  const [yes, no] = dialect === 'postgres' ? ['true', 'false'] : ['1', '0']
  const json = (text: string) => (dialect === 'postgres' ? `'${text}'::jsonb` : `'${text}'`)
  const at = (n: number, form: 'date' | 'instant') => {
    const time = new Date(Date.parse('2026-01-01T00:00:00Z') + n * 60_000).toISOString()
    const [day, clock] = [time.slice(0, 10), time.slice(11, form === 'date' ? 19 : 23)]
    return dialect === 'mysql' ? `'${day} ${clock}'` : `'${day}T${clock}Z'`
  }
  const text = (...parts: string[]) =>
    dialect === 'mysql' ? `concat(${parts.join(', ')})` : parts.join(' || ')
  const inAnyOrder = dialect === 'mysql' ? 'rand()' : 'random()'
  const twelve = { postgres: 'substr(md5(random()::text), 1, 12)', mysql: 'substr(md5(rand()), 1, 12)' }
  const hex = dialect === 'sqlite' ? 'lower(hex(randomblob(6)))' : twelve[dialect]
  const told = (alike: string, random: string) => (values === 'alike' ? alike : random)
  const each = (columns: string, table: string, values: string, inTurn = 'id') =>
    `insert into tillkit_${table} (${columns}) select ${values} from tillkit_merchants order by ${inTurn}`

  return [
    ...chunks(merchants).map(
      ids =>
        `insert into tillkit_merchants (id, name, webhook_url, webhook_key, tips, user_references, device_lists, created_at)
        values ${ids.map(id => `('${id}', 'Shop', 'https://shop.example/hook', null, ${yes}, ${yes}, ${no}, ${at(0, 'instant')})`)}`,
    ),
    each(
      'merchant_id, last_payment_id, last_date, last_cash_up_number, last_cash_up_payment_id',
      'ledgers',
      `id, ${payments}, ${at(payments, 'date')}, 0, 0`,
    ),
    ...Array.from({ length: payments }, (_, n) => n + 1).flatMap(id => [
      each(
        `merchant_id, id, status, date, total_amount, tip_amount, scan_code, scan_code_reference, user_reference,
        statement_reference, is_voucher, is_voucher_redemption, required_amount, merchant_reference, auth_code, strict, extra`,
        'payments',
        `id, ${id}, 'completed', ${at(id, 'date')}, 1250, 0, ${text('id', `'-${id % 3}'`)}, 'Counter ${id % 3}', 'user-${id % 17}',
        'BANK-${Math.floor(id / 10)}', ${no}, ${no}, 1250, ${told(`'order-${id}'`, hex)},
        ${told(`'123456'`, `substr(${hex}, 1, 6)`)}, ${no}, ${json('{"waiter":"Ann"}')}`,
        inAnyOrder,
      ),
      each(
        `merchant_id, payment_id, state, attempts, fence, last_attempt_at, last_status, created_at,
        lone_milliseconds, lone_answer`,
        'deliveries',
        `id, ${id}, 'delivered', 1, 2, ${at(id, 'instant')}, 200, ${at(id, 'instant')}, 12, 'ok'`,
        inAnyOrder,
      ),
    ]),
  ]
}

function chunks(ids: string[], size = 500): string[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, n) => ids.slice(n * size, (n + 1) * size))
}
