export { type SqliteOptions, type SqliteStorage, sqliteStorage } from './sqlite-storage.ts'
