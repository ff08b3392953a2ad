import type { Selectable } from 'kysely'
import { selectMerchants } from '../merchants/select-merchants.ts'
import type { MerchantRow } from '../schema/rows/rows.ts'
import type { Tables } from '../schema/tables.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/statements/prepared.ts'

type Owner = MerchantRow & { now: string } & Pick<Selectable<Tables['api_keys']>, 'expires_at'>

/** The key, which every node has, and then its merchant, which one has. */
export function findKeyOwner(
  database: Database,
): (key: { hash: string; now: string | null }) => Promise<Owner | undefined> {
  const { builder, read, dialect } = database
  const findKey = prepare((p: { hash: string; now: string | null }) =>
    builder
      .selectFrom('api_keys')
      .select('merchant_id')
      .select(eb => dialect.timeOf(eb.ref('api_keys.expires_at')).as('expires_at'))
      .select(dialect.timeOf(dialect.orNow(p.now)).as('now'))
      .where('hash', '=', p.hash),
  )
  const findMerchant = prepare((p: { id: string }) =>
    selectMerchants(database).where('merchants.id', '=', p.id),
  )
  return async key => {
    const found = await read.first(findKey(key))
    const merchant = found && (await read.first(findMerchant({ id: found.merchant_id })))
    return merchant && { ...merchant, expires_at: found.expires_at, now: found.now }
  }
}
