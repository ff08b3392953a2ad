import { type Kysely, sql } from 'kysely'
import type { DeliveriesTable } from '../../src/schema/tables.ts'
import type { Database } from '../../src/session/database.ts'

const FIRST = 64

/** Writes deliveries of a merchant, `FIRST` doubled so many times, that have been due since `since`, a second after another. */
export async function fillDue<HostTables>(
  db: Kysely<HostTables>,
  { builder, dialect }: Pick<Database, 'builder' | 'dialect'>,
  merchantId: string,
  since: string,
  doubled: number,
): Promise<number> {
  const rows = Array.from({ length: FIRST }, (_, n) => {
    const at = dialect.time(new Date(Date.parse(since) + n * 1000).toISOString())
    return {
      ...{ merchant_id: merchantId, payment_id: n + 1, state: 'pending', attempts: 0, fence: 0 },
      ...{ next_attempt_at: at, created_at: at },
    } as unknown as DeliveriesTable
  })
  await db.executeQuery(
    builder
      .insertInto('deliveries')
      .values(rows as never[])
      .compile(),
  )
  const columns = sql.join(
    ['state', 'attempts', 'fence', 'next_attempt_at', 'created_at', 'merchant_id'].map(name => sql.ref(name)),
  )
  for (let n = 0; n < doubled; n++) {
    await sql`insert into tillkit_deliveries (${columns}, payment_id)
      select ${columns}, payment_id + ${sql.lit(FIRST * 2 ** n)} from tillkit_deliveries
      where merchant_id = ${merchantId}`.execute(db)
  }
  return FIRST * 2 ** doubled
}
