import type { ImportEnd, SettlementStore } from '@tillkit/storage'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'
import { givenTime } from '../time/given-time.ts'

/** When imports of statements began and ended. No settlement waits for these rows. */
export function importedStatements({
  builder,
  write,
  dialect,
}: Database): Pick<SettlementStore, 'begin' | 'finish'> {
  const insert = prepare((p: { reference: string; now: string | null }) => {
    const query = builder.insertInto('statements').values({
      reference: p.reference,
      started_at: dialect.orNow(p.now),
      finished_at: null,
      row_count: null,
      difference_count: null,
    })
    return dialect.name === 'mysql' ? query.ignore() : query.onConflict(conflict => conflict.doNothing())
  })
  const end = prepare((p: ImportEnd & { reference: string; now: string | null }) =>
    builder
      .updateTable('statements')
      .set({ finished_at: dialect.orNow(p.now), row_count: p.rows, difference_count: p.differences })
      .where('reference', '=', p.reference),
  )
  const once = { statement: true, repeatable: true }

  return {
    async begin(reference, now) {
      const query = insert({ reference, now: givenTime(dialect, now) })
      await write(session => session.change(query), once)
    },
    async finish(reference, { rows, differences }, now) {
      const query = end({ reference, rows, differences, now: givenTime(dialect, now) })
      await write(session => session.change(query), once)
    },
  }
}
