export { type SqliteConnection, type SqliteStorage, sqliteStorage } from './sqlite-storage.ts'
