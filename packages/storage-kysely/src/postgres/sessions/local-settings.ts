import { type RawBuilder, sql } from 'kysely'

/** Citus tells the nodes of a transaction what is set for it from then on. */
export const PASS_ON = `set local citus.propagate_set_commands = 'local'`

/** What a setting of so many milliseconds is begun with, for a transaction; nothing where it is left as it is. */
export function localSetting(name: string, milliseconds: number | undefined): string[] {
  return milliseconds === undefined ? [] : [`set local ${name} = ${Math.ceil(milliseconds)}`]
}

/** For the transaction that a statement by itself is. It answers no row. */
export function limitOf(milliseconds: number): string {
  return `select where set_config('lock_timeout', '${Math.ceil(milliseconds)}', true) is null`
}

/**
 * The same for a statement that says so itself, where it is told so many milliseconds: a condition more, always true, which is seen to
 * before any row is locked.
 */
export function andLimitedTo(milliseconds: number | undefined): RawBuilder<unknown> {
  if (milliseconds === undefined) return sql``
  return sql` and (select set_config('lock_timeout', ${sql.lit(`${Math.ceil(milliseconds)}`)}, true)) is not null`
}
