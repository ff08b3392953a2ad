import { refuse } from '../schema/invalid-input.ts'
import type { Dialect, DialectName } from './dialect.ts'
import { mysql } from './mysql.ts'
import { postgres } from './postgres.ts'
import { sqlite } from './sqlite.ts'

export type { Dialect, DialectName } from './dialect.ts'

const DIALECTS: Record<DialectName, Dialect> = { sqlite, postgres, mysql }

/** The dialect called `name`. Throws `TillError` for any other name. */
export function dialectOf(name: DialectName): Dialect {
  if (Object.hasOwn(DIALECTS, name)) return DIALECTS[name]
  refuse(`dialect must be one of ${Object.keys(DIALECTS).join(', ')}`)
}
