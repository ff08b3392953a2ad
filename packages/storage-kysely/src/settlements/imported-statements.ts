import { instant } from '@tillkit/domain'
import type { ImportEnd, SettlementStore } from '@tillkit/storage'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/statements/prepared.ts'
import { givenTime } from '../time/given-time.ts'
import { readTime } from '../time/read-time.ts'

/** When imports of statements began and ended. No settlement waits for these rows. */
export function importedStatements(database: Database): Pick<SettlementStore, 'begin' | 'finish'> {
  const { builder, write, dialect } = database
  const timeNow = readTime(database)
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
  const end = prepare((p: ImportEnd & { reference: string; at: string }) =>
    builder
      .updateTable('statements')
      .set({ finished_at: p.at, row_count: p.rows, difference_count: p.differences })
      .where('reference', '=', p.reference),
  )
  const once = { statement: true, repeatable: true }

  return {
    async begin(reference, now) {
      const query = insert({ reference, now: givenTime(dialect, now) })
      await write(session => session.change(query), once)
    },
    async finish(reference, { rows, differences }, now) {
      // Read first: Citus takes no time of its own in a row that is changed at every node.
      const at = dialect.time(now ?? instant(await timeNow()))
      const query = end({ reference, rows, differences, at })
      await write(session => session.change(query), once)
    },
  }
}
