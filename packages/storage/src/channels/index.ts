/**
 * What a store tells whoever listens, through `node:diagnostics_channel`: statements, connections and waits. A store publishes
 * where `hasSubscribers` says that somebody listens, and does no more otherwise than ask.
 *
 * @packageDocumentation
 */
export { type ConnectionMessage, connectionChannel, type PoolFigures } from './connection.ts'
export { type StatementMessage, statementChannel } from './statement.ts'
export { type Traced, traced } from './traced.ts'
export { type TurnMessage, turnChannel } from './turn.ts'
