import { claimFunction } from './claim.ts'
import type { Definition, TableName } from './definition.ts'
import { recordFunction } from './record.ts'
import { resolveFunction } from './resolve.ts'
import { startFunction } from './start.ts'

export type { Definition } from './definition.ts'

/** The functions, the one last by which a store knows that the tables are distributed. */
export function functionsOf(table: TableName): Definition[] {
  return [startFunction(table), resolveFunction(table), claimFunction(table), recordFunction(table)]
}
