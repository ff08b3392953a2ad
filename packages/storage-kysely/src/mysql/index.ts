export { type MysqlConnection, type MysqlStorage, mysqlStorage } from './mysql-storage.ts'
