import type { Kysely } from 'kysely'
import type { DeliveriesTable } from '../../src/schema/tables.ts'
import type { Database } from '../../src/session/database.ts'

const CHUNK = 500
const FIRST = Date.parse('2026-11-20T09:30:00Z')

/** The instant at which the payment called `id` was delivered. */
export const deliveredAt = (id: number) => new Date(FIRST + id * 1000).toISOString()

/** Writes a delivery for each of a merchant's payments: almost all delivered, a few exhausted, the last few due. */
export async function fillDeliveries<HostTables>(
  db: Kysely<HostTables>,
  { builder, dialect }: Pick<Database, 'builder' | 'dialect'>,
  merchantId: string,
  count: number,
): Promise<void> {
  const delivery = (id: number): DeliveriesTable => {
    const state = id > count - 10 ? 'pending' : id % 100 === 0 ? 'exhausted' : 'delivered'
    const at = dialect.time(deliveredAt(id))
    return {
      merchant_id: merchantId,
      payment_id: id,
      state,
      attempts: state === 'pending' ? 0 : 1,
      fence: state === 'pending' ? 0 : 2,
      next_attempt_at: state === 'pending' ? at : null,
      last_attempt_at: state === 'pending' ? null : at,
      last_status: state === 'pending' ? null : 200,
      last_error: null,
      created_at: at,
    } as unknown as DeliveriesTable
  }
  for (let first = 1; first <= count; first += CHUNK) {
    const ids = Array.from({ length: Math.min(CHUNK, count - first + 1) }, (_, n) => first + n)
    const rows = ids.map(delivery) as never[]
    await db.executeQuery(builder.insertInto('deliveries').values(rows).compile())
    const attempts = ids.map(id => ({
      ...{ merchant_id: merchantId, payment_id: id, number: 1, began_at: dialect.time(deliveredAt(id)) },
      ...{ status: 200, milliseconds: 12, error: null, answer: 'ok' },
    }))
    await db.executeQuery(builder.insertInto('delivery_attempts').values(attempts).compile())
  }
}
