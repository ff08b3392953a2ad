/**
 * Database servers of a test's own, two that measure, and names for what a test makes on a server that is shared. Nothing of either outlives
 * the process that made it for long, however that process ends. Beside them what else tests need of a machine: a free port,
 * patience; a browser is in `@tillkit/servers/browser`.
 *
 * @packageDocumentation
 */

export type { MysqlServerOptions } from './mysql/mysql-server.ts'
export { ownGalera } from './mysql/own-galera.ts'
export { type OwnGroupOptions, ownGroup } from './mysql/own-group.ts'
export { ownMariadb } from './mysql/own-mariadb.ts'
export { type OwnMysqlOptions, ownMysql } from './mysql/own-mysql.ts'
export { PATIENT } from './patient.ts'
export { isLeftOver, placeName } from './place-names.ts'
export { type OwnPgbouncerOptions, ownPgbouncer } from './postgres/own-pgbouncer.ts'
export { ownPostgres } from './postgres/own-postgres.ts'
export { type OwnStandby, ownStandby } from './postgres/own-standby.ts'
export type { OwnPostgresOptions } from './postgres/postgres-server.ts'
export { freePort } from './process/free-port.ts'
export type { OwnServer } from './process/own-server.ts'
export { until } from './process/until.ts'
export { type OwnCollector, ownCollector } from './telemetry/own-collector.ts'
export { type OwnPrometheusOptions, ownPrometheus } from './telemetry/own-prometheus.ts'
