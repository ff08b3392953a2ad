import type { Kysely } from 'kysely'
import { kindOf, refuse } from './invalid-input.ts'

/** Throws `TillError` for what is neither a Kysely instance nor a transaction of one. */
export function assertKysely(db: unknown): void {
  const { withoutPlugins, getExecutor } = (db ?? {}) as Partial<Kysely<unknown>>
  if (typeof withoutPlugins === 'function' && typeof getExecutor === 'function') return
  const given = typeof db === 'object' && db !== null ? 'another object' : kindOf(db)
  refuse(`db must be a Kysely instance or an open transaction of one, not ${given}`)
}
