import { claimFunction } from './claim.ts'
import type { Definition, TableName } from './definition.ts'
import { findFunction } from './find.ts'
import { holdFunction } from './hold.ts'
import { holdAllFunction } from './hold-all.ts'
import { holdHereFunction } from './hold-here.ts'
import { recordFunction } from './record.ts'
import { resolveFunction } from './resolve.ts'
import { resolveOfEachFunction } from './resolve-of-each.ts'
import { startFunction } from './start.ts'
import { startOfEachFunction } from './start-of-each.ts'

export type { Definition } from './definition.ts'

/** The functions, the one last by which a store knows that the tables are distributed. */
export function functionsOf(table: TableName): Definition[] {
  return [
    holdFunction(table),
    holdAllFunction(table),
    holdHereFunction(),
    startFunction(table),
    startOfEachFunction(table),
    resolveFunction(table),
    resolveOfEachFunction(table),
    findFunction(table),
    claimFunction(table),
    recordFunction(table),
  ]
}
