export type { MysqlPool } from './mysql-pool.ts'
export { type MysqlConnection, type MysqlReplica, type MysqlStorage, mysqlStorage } from './mysql-storage.ts'
