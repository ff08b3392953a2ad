export type { PgClient, PgPool } from './pg-pool.ts'
export {
  type PostgresConnection,
  type PostgresReplica,
  type PostgresStorage,
  postgresStorage,
} from './postgres-storage.ts'
