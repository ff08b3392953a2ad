import mysql from 'mysql2'
import { expect, test } from 'vitest'
import { clientOf, cut } from '../../src/mysql/pools/mysql-pool.ts'
import { PreparedStatements } from '../../src/mysql/pools/prepared-statements.ts'
import { overMysql } from '../engines/index.ts'
import { openSession, PROCESSES } from '../faults/session.ts'

overMysql(({ create }) => {
  test.each([
    ['text', []],
    ['values beside it', [60]],
  ])(
    'a statement that is under way when its connection is cut fails: %s',
    { timeout: 120_000 },
    async (_, values) => {
      const { address, drop } = await create({ apart: true })
      if (address.dialect !== 'mysql') throw new Error('MariaDB or MySQL')
      const pool = mysql.createPool(address.uri)
      const client = await clientOf(pool)
      client.on?.('error', () => {})
      const statement = values.length === 0 ? 'select sleep(60)' : 'select sleep(?)'
      const asked = new PreparedStatements(client).send(statement, values, {})
      const refused = expect(asked).rejects.toThrow('ended while a statement was under way')
      const session = await openSession(address)
      // MySQL 8 does not say what a statement is whose values come beside it.
      const running = `select id from ${PROCESSES} where db = database() and id <> connection_id() and command in ('Query', 'Execute')`
      await expect.poll(() => session.run(running), { timeout: 60_000 }).toHaveLength(1)
      cut(client)
      await refused
      await new Promise(resolve => pool.end(resolve))
      await session.close()
      await drop()
    },
  )
})
