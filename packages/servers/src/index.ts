/**
 * Database servers of a test's own, two that measure, and names for what a test makes on a server that is shared. Nothing of either outlives
 * the process that made it for long, however that process ends. Beside them what else tests need of a machine: a free port,
 * patience; a browser is in `@tillkit/servers/browser`.
 *
 * @packageDocumentation
 */
export { freePort } from './free-port.ts'
export type { MysqlServerOptions } from './mysql-server.ts'
export { type OwnCollector, ownCollector } from './own-collector.ts'
export { ownGalera } from './own-galera.ts'
export { type OwnGroupOptions, ownGroup } from './own-group.ts'
export { ownMariadb } from './own-mariadb.ts'
export { type OwnMysqlOptions, ownMysql } from './own-mysql.ts'
export { type OwnPgbouncerOptions, ownPgbouncer } from './own-pgbouncer.ts'
export { ownPostgres } from './own-postgres.ts'
export { type OwnPrometheusOptions, ownPrometheus } from './own-prometheus.ts'
export type { OwnServer } from './own-server.ts'
export { type OwnStandby, ownStandby } from './own-standby.ts'
export { PATIENT } from './patient.ts'
export { isLeftOver, placeName } from './place-names.ts'
export type { OwnPostgresOptions } from './postgres-server.ts'
