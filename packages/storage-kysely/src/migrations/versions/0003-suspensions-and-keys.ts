import type { Migration, MigrationContext } from '../migration.ts'
import { addColumns } from '../tables/add-columns.ts'

/**
 * Suspended merchants and scan codes, API keys that expire, webhook keys that go on signing for a while. Processes of the
 * version before go on beside it: they leave the new columns out.
 */
export const suspensionsAndKeys: Migration = { tables }

async function tables(context: MigrationContext): Promise<void> {
  const { text, integer, instant } = context.dialect.types
  await addColumns(context, 'ledgers', [
    { name: 'suspended_at', type: instant },
    { name: 'suspensions', type: integer, zero: true },
  ])
  await addColumns(context, 'scan_codes', [{ name: 'suspended_at', type: instant }])
  await addColumns(context, 'api_keys', [{ name: 'expires_at', type: instant }])
  await addColumns(context, 'merchants', [
    { name: 'previous_webhook_key', type: text(512) },
    { name: 'previous_webhook_key_until', type: instant },
  ])
}
