import type { MerchantStore } from '@tillkit/storage'
import { sql } from 'kysely'
import type { MerchantRow } from '../schema/rows/rows.ts'
import type { Database } from '../session/database.ts'
import { type Prepared, prepareChange } from '../session/statements/prepared.ts'

interface Parameters {
  id: string
  key: string
  until: string
}

export function setWebhookKey(
  { builder, read, write, dialect }: Database,
  findMerchant: Prepared<{ id: string }, MerchantRow>,
): MerchantStore['setWebhookKey'] {
  const replace = prepareChange((p: Omit<Parameters, 'until'>) =>
    builder
      .updateTable('merchants')
      .set({ previous_webhook_key: null, previous_webhook_key_until: null, webhook_key: p.key })
      .where('id', '=', p.id),
  )
  const overlap = prepareChange((p: Parameters) =>
    builder
      .updateTable('merchants')
      // In this order: some engines look at what was set before. Run again, it finds its own key.
      .set({
        previous_webhook_key: sql<string>`case when webhook_key = ${p.key} then previous_webhook_key else webhook_key end`,
      })
      .set({ previous_webhook_key_until: p.until })
      .set({ webhook_key: p.key })
      .where('id', '=', p.id),
  )

  return async (id, key, until = null) => {
    const query = until === null ? replace({ id, key }) : overlap({ id, key, until: dialect.time(until) })
    const changed = await write(session => session.change(query), {
      statement: true,
      repeatable: true,
      merchantId: id,
    })
    // Where a host has taken FOUND_ROWS from mysql2's flags, a key that was there already has changed no row.
    return changed > 0 || (await read.first(findMerchant({ id }))) !== undefined
  }
}
