export { type MysqlOptions, type MysqlStorage, mysqlStorage } from './mysql-storage.ts'
