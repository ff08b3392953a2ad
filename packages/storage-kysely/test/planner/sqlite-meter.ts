import Database from 'better-sqlite3'
import { type Meter, median } from './work.ts'

/** Tables of which one merchant may have many rows. Of cash ups there are few, and who counts looks at what is counted. */
const GROWING = /(payments|payment_blocks|payment_sums|deliveries|delivery_attempts)$/

/** Tables that may be read whole: an index holds those of few rows alone, or there are as many as days. */
const FEW = /(failing_endpoints|statements)$/

/**
 * SQLite counts nothing for those who ask; its plan says it. Each table is searched by a key, or by an index of which the
 * merchant and one column more are bound or in order, or along an index of few rows alone.
 */
export async function sqliteMeter({ file }: { file: string }): Promise<Meter> {
  const db = new Database(file)
  const partial = new Set(
    db
      .prepare<unknown[], { name: string }>(
        `select name from sqlite_master where type = 'index' and sql like '% where %'`,
      )
      .all()
      .map(({ name }) => name),
  )

  const readsAll = (detail: string, sql: string) => {
    const [, how, table = '', index = '', by = ''] =
      /^(SEARCH|SCAN) (tillkit_\w+)(?: USING (?:COVERING )?INDEX (\w+))?(?: \((.*)\))?/.exec(detail) ?? []
    if (how === undefined || partial.has(index)) return false
    if (how === 'SCAN') return !FEW.test(table)
    const limited = /count\(|limit/.test(sql)
    return GROWING.test(table) && by.split(' AND ').length < 2 && !limited
  }

  return {
    async measure({ sql, parameters }) {
      const plan = db.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`).all(...parameters)
      const sorted = plan.some(({ detail }) => /TEMP B-TREE/.test(detail)) ? sql.replaceAll('limit', '') : sql
      const touched = plan.some(({ detail }) => readsAll(detail, sorted)) ? Number.POSITIVE_INFINITY : 0
      return { touched, answered: 0, plan: plan.map(({ detail }) => detail).join('\n') }
    },
    time: ({ sql, parameters }) => {
      const statement = db.prepare<unknown[]>(sql)
      return median(() => {
        db.exec('begin')
        try {
          if (statement.reader) statement.all(...parameters)
          else statement.run(...parameters)
        } finally {
          db.exec('rollback')
        }
      })
    },
    close: async () => void db.close(),
  }
}
