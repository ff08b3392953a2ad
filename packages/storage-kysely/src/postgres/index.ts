export type { SessionLimits } from '../connections/session-limits.ts'
export type { TimeLimits } from '../connections/time-limits.ts'
export type { ReplicaLag } from '../replicas/replica-option.ts'
export type { NameOptions } from '../schema/names.ts'
export type { PgClient, PgPool } from './pg-pool.ts'
export {
  type PostgresConnection,
  type PostgresReplica,
  type PostgresStorage,
  postgresStorage,
} from './postgres-storage.ts'
