import { type Kysely, sql } from 'kysely'
import type { DialectName } from '../../src/index.ts'

/** The same questions as somebody asks them who knows SQL and keeps nothing. */
export function byHand(db: Kysely<unknown>, dialect: DialectName) {
  const hour = {
    sqlite: sql`substr(date, 1, 13)`,
    postgres: sql`date_trunc('hour', date)`,
    mysql: sql`date_format(date, '%Y-%m-%d %H')`,
  }[dialect]
  const at = (date: string) => (dialect === 'mysql' ? `${date.slice(0, 10)} ${date.slice(11, -1)}` : date)
  return {
    period: (merchantId: string) =>
      sql`select status, is_voucher, is_voucher_redemption, scan_code, device_serial_number, count(*) as n,
          sum(total_amount) as total, sum(tip_amount) as tips, min(id) as first, max(id) as last
        from tillkit_payments where merchant_id = ${merchantId} and id > 0
        group by status, is_voucher, is_voucher_redemption, scan_code, device_serial_number`.execute(db),
    takings: (from: string, to: string, merchantId?: string) =>
      sql`select ${hour} as hour, count(*) as n, sum(total_amount) as total, sum(tip_amount) as tips
        from tillkit_payments where date >= ${at(from)} and date < ${at(to)} and status = 'completed'
          ${merchantId === undefined ? sql`` : sql`and merchant_id = ${merchantId}`}
        group by ${hour}`.execute(db),
  }
}
