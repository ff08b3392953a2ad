import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../session/database.ts'
import { asTexts, jsonRows, lockFree, prepareForRows } from '../../session/statements/json-rows.ts'
import { isPending } from '../is-pending.ts'
import { loneMilliseconds } from '../lone-milliseconds.ts'
import type { Found } from './group-rows.ts'

const MERCHANT = { merchant_id: 'longtext' } as const
const KEY = { ...MERCHANT, payment_id: 'bigint' } as const

const RESULT = [
  ...['state', 'next_attempt_at', 'last_attempt_at', 'last_status', 'last_error'],
  ...['lone_milliseconds', 'lone_answer'],
]
const ATTEMPT = ['number', 'began_at', 'status', 'milliseconds', 'error', 'answer']

/**
 * Statements of MariaDB and MySQL for any number of results, which are one parameter. Each looks up by its key what it is
 * given, and nothing else, whatever statistics say.
 */
export function groupStatements(database: Database) {
  const statement = <Row>(write: (rows: string) => RawBuilder<Row>) => prepareForRows(database, write)
  const [deliveries, attempts, endpoints] = [
    sql.table('deliveries'),
    sql.table('delivery_attempts'),
    sql.table('failing_endpoints'),
  ]

  return {
    /** Locks the deliveries that no other has locked. What it reads besides was written before their leases, and needs no lock. */
    find: statement(
      rows => sql<Found>`
        select given.place, delivery.fence, ${isPending(sql.ref('delivery.state'))} as is_pending,
          ${database.dialect.timeOf(sql.ref('delivery.last_attempt_at'))} as last_attempt_at,
          delivery.last_status, ${loneMilliseconds('delivery')} as lone_milliseconds, delivery.lone_answer,
          (select max(attempt.number) from ${attempts} as attempt force index (primary)
            where attempt.merchant_id = delivery.merchant_id and attempt.payment_id = delivery.payment_id) as last_number,
          (select 1 from ${endpoints} as endpoint force index (primary)
            where endpoint.merchant_id = delivery.merchant_id) as is_failing
        from ${jsonRows(rows, KEY)} straight_join ${deliveries} as delivery force index (primary)
          on delivery.merchant_id = given.merchant_id and delivery.payment_id = given.payment_id
        ${lockFree('delivery')}`,
    ),
    lockFailing: statement(
      rows => sql<{ merchant_id: string }>`
        select endpoint.merchant_id
        from ${jsonRows(rows, MERCHANT)} straight_join ${endpoints} as endpoint force index (primary)
          on endpoint.merchant_id = given.merchant_id
        ${lockFree('endpoint')}`,
    ),
    write: statement(
      rows => sql`
        update ${jsonRows(rows, { ...KEY, ...asTexts(RESULT) })}
        straight_join ${deliveries} as delivery force index (primary)
          on delivery.merchant_id = given.merchant_id and delivery.payment_id = given.payment_id
        set delivery.attempts = coalesce(delivery.attempts, 0) + 1, delivery.fence = delivery.fence + 1,
          ${sql.join(RESULT.map(name => sql`${sql.ref(`delivery.${name}`)} = ${sql.ref(`given.${name}`)}`))}`,
    ),
    keep: statement(rows => {
      const columns = sql.join([...Object.keys(KEY), ...ATTEMPT].map(name => sql.ref(name)))
      return sql`
        insert into ${attempts} (${columns})
        select ${columns} from ${jsonRows(rows, { ...KEY, ...asTexts(ATTEMPT) })}`
    }),
    drop: statement(
      rows => sql`
        delete attempt from ${jsonRows(rows, { ...KEY, number: 'bigint' })}
        straight_join ${attempts} as attempt force index (primary)
          on attempt.merchant_id = given.merchant_id and attempt.payment_id = given.payment_id
        where attempt.number <= given.number`,
    ),
    startFailing: statement(
      rows => sql`
        insert ignore into ${endpoints} (merchant_id, failing_since)
        select merchant_id, failing_since from ${jsonRows(rows, { ...MERCHANT, failing_since: 'longtext' })}`,
    ),
  }
}
