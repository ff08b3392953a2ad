import type { Dialect, DialectName } from './dialect.ts'
import { sqlite } from './sqlite.ts'

export const DIALECTS: Record<DialectName, Dialect> = { sqlite }
