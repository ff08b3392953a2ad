export { DatabaseError } from './database-error.ts'
export type { DialectName } from './dialects/dialect.ts'
export { type KyselyStorageOptions, kyselyStorage } from './kysely-storage.ts'
export { migrate } from './migrations/migrate.ts'
