export type { PgClient, PgPool } from './pg-pool.ts'
export { type PostgresOptions, type PostgresStorage, postgresStorage } from './postgres-storage.ts'
