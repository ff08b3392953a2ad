import { isLeftOver, placeName } from '@tillkit/servers'
import { CompiledQuery, sql } from 'kysely'
import mysql from 'mysql2/promise'
import type { Engine } from './engine.ts'

const GIVEN = process.env.TILLKIT_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/test'

async function run(statement: string): Promise<unknown> {
  const connection = await mysql.createConnection(GIVEN)
  try {
    const [rows] = await connection.query(statement)
    return rows
  } finally {
    await connection.end()
  }
}

/** Drops what tests left behind that were killed. */
async function sweep(): Promise<void> {
  const namesOf = async (query: string) => (await run(query)) as { name: string }[]
  for (const { name } of await namesOf('select schema_name as name from information_schema.schemata')) {
    // Another process sweeps too.
    if (isLeftOver(name)) await run(`drop database if exists \`${name}\``).catch(() => {})
  }
  // Whoever may not see users has made none.
  for (const { name } of await namesOf('select user as name from mysql.user').catch(() => [])) {
    if (isLeftOver(name)) await run(`drop user if exists \`${name}\``).catch(() => {})
  }
}

/** Asks for a plan as rows, which MySQL 9 has to be told; MariaDB knows no such format. */
export const EXPLAIN = 'explain /*!80000 format = traditional */'

interface ExplainRow {
  table: string | null
  type: string | null
  key: string | null
  key_len: string | null
}

export async function mysqlEngine(): Promise<Engine> {
  let unavailable: string | undefined
  let name = 'MySQL'
  try {
    const [row] = (await run('select version() as version')) as [{ version: string }]
    if (/mariadb/i.test(row.version)) name = 'MariaDB'
    await sweep()
  } catch (error) {
    unavailable = `no server answers: ${(error as { code?: string }).code}`
  }

  return {
    name,
    unavailable,

    async create() {
      const database = placeName()
      await run(`create database \`${database}\``)
      const uri = new URL(GIVEN)
      uri.pathname = `/${database}`
      return {
        address: { dialect: 'mysql', uri: uri.href },
        drop: async () => {
          await run(`drop database \`${database}\``)
        },
      }
    },

    async analyze(db) {
      await sql`analyze table tillkit_payments`.execute(db)
    },

    async accesses(db, query) {
      const explain = CompiledQuery.raw(`${EXPLAIN} ${query.sql}`, [...query.parameters])
      const { rows } = await db.executeQuery<ExplainRow>(explain)
      const { rows: keys } = await sql<{ Key_name: string; Column_name: string }>`
        show index from tillkit_payments where Seq_in_index = 1`.execute(db)
      return rows
        .filter(row => row.table !== null)
        .map(({ table, type, key }) => ({
          table: table ?? '',
          index: type === 'ALL' || type === 'index' ? null : key,
          by: keys.find(({ Key_name }) => Key_name === key)?.Column_name ?? '',
        }))
    },
  }
}
