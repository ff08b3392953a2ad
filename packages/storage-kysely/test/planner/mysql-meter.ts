import mysql from 'mysql2/promise'
import { ownSession } from '../../src/mysql/sessions/session-settings.ts'
import { PATIENT } from '../engines/address.ts'
import { EXPLAIN } from '../engines/mysql.ts'
import { type Meter, median, totalOf } from './work.ts'

/**
 * Counts what the engine reads for a session as those of Tillkit's own pools are, by the server's own counters.
 *
 * @param server - settings that the session has of its server, as it begins.
 */
export async function mysqlMeter({ uri }: { uri: string }, server: string[] = []): Promise<Meter> {
  const connection = await mysql.createConnection(uri)
  for (const setting of server) await connection.query(`set session ${setting}`)
  await ownSession(PATIENT, 60)({ query: text => connection.query(text) as never })
  const reads = async () => {
    const [rows] = await connection.query<mysql.RowDataPacket[]>(
      `show session status where variable_name like 'Handler_read%' or variable_name = 'Handler_icp_attempts'`,
    )
    return rows.reduce((sum, { Value }) => sum + Number(Value), 0)
  }
  const first = await reads()
  const looking = (await reads()) - first

  return {
    async measure({ sql, parameters }) {
      try {
        await connection.query('begin')
        const before = await reads()
        const [result] = await connection.execute(sql, [...parameters] as never[])
        const touched = (await reads()) - before - looking
        const answered = Array.isArray(result)
          ? result.length + totalOf(result as Record<string, unknown>[])
          : (result as mysql.ResultSetHeader).affectedRows
        const [plan] = await connection.query(`${EXPLAIN} ${sql}`, [...parameters] as never[])
        return { touched, answered, plan: JSON.stringify(plan) }
      } finally {
        await connection.query('rollback')
      }
    },
    time: ({ sql, parameters }) =>
      median(async () => {
        await connection.query('begin')
        try {
          await connection.execute(sql, [...parameters] as never[])
        } finally {
          await connection.query('rollback')
        }
      }),
    close: () => connection.end(),
  }
}
