import type { DeliveryResult, DeliveryStore } from '@tillkit/storage'
import { sql } from 'kysely'
import { type ResultColumns, resultColumns } from '../../deliveries/recording/result-columns.ts'
import { inGroups } from '../../group-commit/merchant-groups.ts'
import { FUNCTIONS } from '../../schema/names.ts'
import type { Database, WriteOptions } from '../../session/database.ts'
import { prepareArrays } from '../../session/statements/prepared.ts'
import { isNobody } from '../nobody.ts'

interface Columns extends ResultColumns {
  merchantId: string
  waits: boolean
}

/** Results of one merchant that wait together are written in one call. */
export function recordByMerchant({ builder, write, dialect }: Database): DeliveryStore['record'] {
  const record = prepareArrays<Columns, [place: number | string]>(p => ({
    compile: () =>
      sql`select place from ${sql.table(FUNCTIONS.record)}(${p.merchantId}, ${p.waits}::boolean,
        ${p.paymentId}::bigint[], ${p.fence}::bigint[], ${p.state}::text[], ${p.nextAttemptAt}::timestamptz[],
        ${p.beganAt}::timestamptz[], ${p.status}::bigint[], ${p.milliseconds}::bigint[], ${p.error}::text[],
        ${p.answer}::text[], ${p.asked}::boolean[]) as place`.compile(builder),
  }))

  const placesOf = async (results: DeliveryResult[], waits: boolean, options: WriteOptions) => {
    const query = record({
      merchantId: results[0]?.merchantId ?? '',
      waits,
      ...resultColumns(results, dialect.time),
    })
    const usual = { statement: true, holdsShard: true, locks: 'rows' } as const
    const rows = await write(session => session.all(query), { ...usual, ...options })
    return new Set(rows.map(([place]) => Number(place) - 1))
  }

  const one = inGroups<DeliveryResult, boolean>(
    {
      merchantOf: ({ merchantId }) => merchantId,
      keyOf: ({ paymentId }) => paymentId,
      commonOf: () => null,
      alone: async (result, since) =>
        (await placesOf([result], true, { merchantId: result.merchantId, since })).has(0),
      async together(merchantId, results, since) {
        const places = await placesOf(results, false, { merchantId, since })
        // What was not written is another's, or its row is locked.
        return results.map((_, n) => places.has(n) || undefined)
      },
    },
    dialect,
  )
  return async result => !isNobody(result.merchantId) && one(result)
}
