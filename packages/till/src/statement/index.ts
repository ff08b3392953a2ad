/**
 * An acquirer's statement in CSV, as rows for `till.settlements.import`.
 *
 * @packageDocumentation
 */
export type { Column, StatementColumns, StatementFormat } from './format.ts'
export { readStatement } from './read-statement.ts'
