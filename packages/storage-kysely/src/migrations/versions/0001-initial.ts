import { type ColumnDefinitionBuilder, sql } from 'kysely'
import type { Migration, MigrationContext } from '../migration.ts'
import { createTable } from '../tables/create-table.ts'

/**
 * The key and every unique key of a table that grows with payments start with the merchant, and so do the indexes that
 * answer requests; only the worker's and the clean-up's look across merchants. Of what has a row for each payment numbers and dates
 * come first: PostgreSQL begins each at a multiple of eight bytes, wherever a text before it ends.
 */
export const initial: Migration = { tables }

async function tables(context: MigrationContext): Promise<void> {
  const { text, integer, flag, date, instant, json } = context.dialect.types
  const { named, partitions } = context
  const { partialIndexes } = context.dialect
  const id = text(64)
  const reference = text(255)

  await createTable(context, 'merchants', table =>
    table
      .addColumn('id', id, column => column.notNull().primaryKey())
      .addColumn('name', reference, column => column.notNull())
      .addColumn('webhook_url', text(2048))
      .addColumn('webhook_key', text(512))
      .addColumn('tips', flag, column => column.notNull())
      .addColumn('user_references', flag, column => column.notNull())
      .addColumn('device_lists', flag, column => column.notNull())
      .addColumn('created_at', instant, column => column.notNull()),
  )

  await createTable(context, 'ledgers', table =>
    table
      .addColumn('merchant_id', id, column => column.notNull().primaryKey())
      .addColumn('last_payment_id', integer, column => column.notNull())
      .addColumn('last_date', date, column => column.notNull())
      .addColumn('last_cash_up_number', integer, column => column.notNull())
      .addColumn('last_cash_up_payment_id', integer, column => column.notNull()),
  )

  await createTable(
    context,
    'api_keys',
    table =>
      table
        .addColumn('merchant_id', id, column => column.notNull())
        .addColumn('id', id, column => column.notNull())
        .addColumn('hash', text(64), column => column.notNull())
        .addColumn('label', reference)
        .addColumn('created_at', instant, column => column.notNull())
        .addPrimaryKeyConstraint(named('api_keys_pk'), ['merchant_id', 'id']),
    [{ name: 'api_keys_by_hash', columns: ['hash'] }],
  )

  await createTable(
    context,
    'scan_codes',
    table =>
      table
        .addColumn('code', id, column => column.notNull().primaryKey())
        .addColumn('merchant_id', id, column => column.notNull())
        .addColumn('reference', reference)
        .addColumn('created_at', instant, column => column.notNull()),
    [{ name: 'scan_codes_by_merchant', columns: ['merchant_id', 'created_at', 'code'] }],
  )

  await createTable(
    context,
    'payments',
    table =>
      table
        .addColumn('id', integer, column => column.notNull())
        .addColumn('date', date, column => column.notNull())
        .addColumn('total_amount', integer, column => column.notNull())
        .addColumn('tip_amount', integer)
        .addColumn('required_amount', integer)
        .addColumn('is_voucher', flag, column => column.notNull())
        .addColumn('is_voucher_redemption', flag, column => column.notNull())
        .addColumn('strict', flag, column => column.notNull())
        .addColumn('merchant_id', id, column => column.notNull())
        .addColumn('status', text(9), column => column.notNull())
        .addColumn('scan_code', id, column => column.notNull())
        .addColumn('scan_code_reference', reference)
        .addColumn('user_reference', reference)
        .addColumn('statement_reference', reference)
        .addColumn('merchant_reference', reference)
        .addColumn('auth_code', text(6))
        .addColumn('device_serial_number', reference)
        .addColumn('failure', reference)
        .addColumn('extra', json, column => column.notNull())
        .addColumn('attempt_key', reference)
        .addColumn('guarded_reference', reference)
        .addPrimaryKeyConstraint(named('payments_pk'), ['merchant_id', 'id'])
        // Where an index leaves no rows out, one that began with the status would be taken for a merchant's own filter.
        .$call(whole => (partialIndexes ? whole : whole.addColumn('pending_date', date, whilePending))),
    [
      ...['attempt_key', 'guarded_reference'].map(column => ({
        name: `payments_${column}`,
        columns: ['merchant_id', column],
        unique: true,
        only: 'those with the second column' as const,
      })),
      ...['date', 'status', 'scan_code'].map(column => ({
        name: `payments_by_${column}`,
        columns: ['merchant_id', column, 'id'],
      })),
      ...['scan_code_reference', 'user_reference', 'merchant_reference', 'statement_reference'].map(
        column => ({
          name: `payments_by_${column}`,
          columns: ['merchant_id', column, 'id'],
          only: 'those with the second column' as const,
        }),
      ),
      partialIndexes
        ? { name: 'payments_pending', columns: ['date'], only: { column: 'status', is: 'pending' } }
        : // Of an index over partitions MariaDB does not know that the key comes after what it names.
          {
            name: 'payments_pending',
            columns: ['pending_date', ...(partitions > 0 ? ['merchant_id', 'id'] : [])],
          },
    ],
  )

  await createTable(context, 'cash_ups', table =>
    table
      .addColumn('merchant_id', id, column => column.notNull())
      .addColumn('number', integer, column => column.notNull())
      .addColumn('reference', text(32), column => column.notNull())
      .addColumn('date', date, column => column.notNull())
      .addColumn('first_payment_id', integer, column => column.notNull())
      .addColumn('last_payment_id', integer, column => column.notNull())
      .addColumn('idempotency_key', reference)
      .addColumn('completed_total', integer)
      .addPrimaryKeyConstraint(named('cash_ups_pk'), ['merchant_id', 'number'])
      .addUniqueConstraint(named('cash_ups_reference'), ['merchant_id', 'reference'])
      .addUniqueConstraint(named('cash_ups_idempotency_key'), ['merchant_id', 'idempotency_key']),
  )

  await createTable(
    context,
    'deliveries',
    table =>
      table
        .addColumn('payment_id', integer, column => column.notNull())
        .addColumn('attempts', integer, column => column.notNull())
        .addColumn('fence', integer, column => column.notNull())
        .addColumn('next_attempt_at', instant)
        .addColumn('last_attempt_at', instant)
        .addColumn('created_at', instant, column => column.notNull())
        .addColumn('last_status', integer)
        .addColumn('merchant_id', id, column => column.notNull())
        .addColumn('state', text(9), column => column.notNull())
        .addColumn('last_error', text(1024))
        .addPrimaryKeyConstraint(named('deliveries_pk'), ['merchant_id', 'payment_id']),
    [
      { name: 'deliveries_by_state', columns: ['merchant_id', 'state', 'payment_id'] },
      { name: 'deliveries_due', columns: ['next_attempt_at'], only: { column: 'state', is: 'pending' } },
    ],
  )
}

const whilePending = (column: ColumnDefinitionBuilder) =>
  column.generatedAlwaysAs(sql`case when status = 'pending' then date end`)
