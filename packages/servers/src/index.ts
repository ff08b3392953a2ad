/**
 * Database servers of a test's own, and names for what a test makes on a server that is shared. Nothing of either outlives
 * the process that made it for long, however that process ends.
 *
 * @packageDocumentation
 */
export { freePort } from './free-port.ts'
export { type OwnMariadbOptions, ownMariadb } from './own-mariadb.ts'
export { type OwnPostgresOptions, ownPostgres } from './own-postgres.ts'
export type { OwnServer } from './own-server.ts'
export { isLeftOver, placeName } from './place-names.ts'
