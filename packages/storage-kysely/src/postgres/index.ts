export type { SessionLimits } from '../connections/limits/session-limits.ts'
export type { TimeLimits } from '../connections/limits/time-limits.ts'
export type { ReplicaLag } from '../replicas/replica-option.ts'
export type { NameOptions } from '../schema/names.ts'
export type { PgClient, PgPool } from './pools/pg-pool.ts'
export {
  type PostgresConnection,
  type PostgresReplica,
  type PostgresStorage,
  postgresStorage,
} from './postgres-storage.ts'
