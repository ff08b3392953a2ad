import pg from 'pg'
import { postgresStorage } from '../src/postgres/index.ts'
import { BIG, fillStatements } from './fill.ts'
import { isLastBlock } from './growth.ts'
import { postgresByHand } from './postgres-by-hand.ts'

const connectionString = process.env.TILLKIT_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test'

export async function openPostgres(count: number) {
  const schema = `tillkit_bench_${count}`
  const pool = new pg.Pool({ connectionString })
  const storage = postgresStorage({ pool }, { schema })
  const { rows: schemas } = await pool.query('select 1 from pg_namespace where nspname = $1', [schema])
  await storage.migrate()
  if (schemas.length === 0) {
    for (const statement of fillStatements('postgres', count, name => `${schema}.tillkit_${name}`)) {
      await pool.query(statement)
    }
    await pool.query(`vacuum analyze ${schema}.tillkit_payments`)
  }
  const { rows } = await pool.query('show server_version')
  return {
    version: `PostgreSQL ${rows[0].server_version}`,
    storage,
    byHand: postgresByHand(pool, schema),
    async isCounted() {
      const { rows } = await pool.query(
        `select max(up_to) as id from ${schema}.tillkit_payment_blocks where merchant_id = $1`,
        [BIG],
      )
      return isLastBlock(Number(rows[0]?.id), count)
    },
    async close() {
      if (!process.env.TILLKIT_BENCH_KEEP) await pool.query(`drop schema ${schema} cascade`)
      await pool.end()
    },
  }
}
