import mysql from 'mysql2'

/** A statement without what says how long it may take, where it is a read. */
const withoutLimit = (text: string) =>
  text
    .replace(/^\/\*M!\d+ set statement .*? for \*\/ /, '')
    .replace(/ \/\*\+ max_execution_time\(\d+\) \*\//, '')

/** A pool of a host's, whose connections begin with `settings`, and the texts of the statements that are sent over it after those. */
export function countedMysqlPool(
  options: mysql.PoolOptions,
  ...settings: string[]
): { pool: mysql.Pool; texts: string[] } {
  const pool = mysql.createPool(options)
  const texts: string[] = []
  pool.on('connection', connection => {
    for (const setting of settings) connection.query(setting)
    const counted = (send: (...args: unknown[]) => unknown) =>
      ((...args: unknown[]) => {
        texts.push(withoutLimit(typeof args[0] === 'string' ? args[0] : (args[0] as { sql: string }).sql))
        return send.apply(connection, args)
      }) as never
    connection.query = counted(connection.query as never)
    connection.execute = counted(connection.execute as never)
  })
  return { pool, texts }
}
