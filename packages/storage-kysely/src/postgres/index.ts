export type { PgClient, PgPool } from './naming-pool.ts'
export { type PostgresOptions, type PostgresStorage, postgresStorage } from './postgres-storage.ts'
