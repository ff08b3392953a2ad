import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Dialect } from '../../dialects/index.ts'
import { createIndex, wholeColumns } from './index-of-table.ts'
import { type Change, oldName } from './plan.ts'

export interface Place {
  dialect: Dialect
  schema: string | undefined
  named(name: string): string
}

/**
 * The statement by which an index is changed while others write: none of its locks keeps them waiting for longer than a
 * catalogue takes to be changed. On MariaDB and MySQL it is refused where the engine cannot do that.
 */
export function onlineStatement(db: Kysely<unknown>, place: Place, change: Change): CompiledQuery {
  if (place.dialect.name === 'mysql') return onMysql(db, place, change)
  const { sql: plain, parameters } = plainStatement(db, place, change)
  return CompiledQuery.raw(plain.replace(/^(create (unique )?|drop )index/, '$& concurrently'), [
    ...parameters,
  ])
}

/** The same in a transaction, where nobody else is in the way, or all has to be one. */
export function plainStatement(
  db: Kysely<unknown>,
  { schema, named }: Place,
  change: Change,
): CompiledQuery<unknown> {
  if (change.kind === 'build') {
    const placed = schema === undefined ? db : db.withSchema(schema)
    return createIndex(placed, named, change.index.table, change.index).compile()
  }
  const name = schema === undefined ? sql.id(change.name) : sql.id(schema, change.name)
  if (change.kind === 'drop') return sql`drop index if exists ${name}`.compile(db)
  return sql`alter index ${name} rename to ${sql.id(oldName(change))}`.compile(db)
}

function onMysql(db: Kysely<unknown>, { named }: Place, change: Change): CompiledQuery {
  const online = sql`algorithm = inplace, lock = none`
  if (change.kind !== 'build') {
    return sql`alter table ${sql.id(change.table)} drop index ${sql.id(change.name)}, ${online}`.compile(db)
  }
  const { index } = change
  const columns = sql.join(wholeColumns(index).map(column => sql.id(column)))
  return sql`alter table ${sql.id(named(index.table))}
    add ${index.unique ? sql`unique` : sql``} index ${sql.id(named(index.name))} (${columns}), ${online}`.compile(
    db,
  )
}
