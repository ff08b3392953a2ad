export type { NameOptions } from '../schema/names.ts'
export { type SqliteConnection, type SqliteStorage, sqliteStorage } from './sqlite-storage.ts'
