import type { MerchantStore } from '@tillkit/storage'
import { sql } from 'kysely'
import { type MerchantRow, toMerchant } from '../schema/rows/rows.ts'
import type { Database } from '../session/database.ts'
import { type Prepared, prepare } from '../session/statements/prepared.ts'

/** Both write the ledger, which is the merchant's lock: what starts after them reads what they wrote. */
export function suspendMerchant(
  { builder, write, dialect }: Database,
  findMerchant: Prepared<{ id: string }, MerchantRow>,
): Pick<MerchantStore, 'suspend' | 'resume'> {
  const suspend = prepare((p: { id: string; at: string }) =>
    builder
      .updateTable('ledgers')
      .set({ suspended_at: sql<string>`coalesce(suspended_at, ${p.at})` })
      .where('merchant_id', '=', p.id),
  )
  const resume = prepare((p: { id: string }) =>
    builder.updateTable('ledgers').set({ suspended_at: null }).where('merchant_id', '=', p.id),
  )
  const change = (id: string, query: ReturnType<typeof suspend>) =>
    write(
      async session => {
        await session.change(query)
        const row = await session.first(findMerchant({ id }))
        return row ? toMerchant(row) : null
      },
      { repeatable: true, merchantId: id },
    )

  return {
    suspend: (id, now) => change(id, suspend({ id, at: dialect.time(now) })),
    resume: id => change(id, resume({ id })),
  }
}
