import type { Endpoint } from '@tillkit/storage'
import type { Selectable } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { instantOf } from '../schema/dates.ts'
import type { MerchantsTable } from '../schema/tables.ts'
import type { Database } from '../session/database.ts'

const COLUMNS = ['webhook_key', 'previous_webhook_key', 'previous_webhook_key_until'] as const

/** What a merchant's webhooks are signed with, as it is read; null of a merchant that is gone. */
type KeysRow = { [Name in (typeof COLUMNS)[number]]: Selectable<MerchantsTable>[Name] | null }

/** The columns that `webhookKeysOf` reads. */
export const webhookKeyColumns = ({ dialect }: Pick<Database, 'dialect'>, alias?: string) =>
  columnsOf(dialect, 'merchants', COLUMNS, alias)

export function webhookKeysOf({
  webhook_key,
  previous_webhook_key: key,
  previous_webhook_key_until: until,
}: KeysRow): Pick<Endpoint, 'webhookKey' | 'previousWebhookKey'> {
  const previousWebhookKey = key === null || until === null ? null : { key, until: instantOf(until) }
  return { webhookKey: webhook_key, previousWebhookKey }
}
