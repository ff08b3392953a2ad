export type { MysqlPool } from './mysql-pool.ts'
export { type MysqlConnection, type MysqlStorage, mysqlStorage } from './mysql-storage.ts'
