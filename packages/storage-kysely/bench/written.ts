import { parseArgs } from 'node:util'
import { measureWritten } from './written/measure-written.ts'
import { mysqlGround } from './written/mysql-ground.ts'
import { postgresGround } from './written/postgres-ground.ts'
import { sqliteGround } from './written/sqlite-ground.ts'
import { tableOf } from './written/table-of.ts'

const OPEN = { postgres: postgresGround, mysql: mysqlGround, sqlite: sqliteGround }
type Name = keyof typeof OPEN

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    merchants: { type: 'string', default: '10000' },
    payments: { type: 'string', default: '40' },
    watched: { type: 'string', default: '2000' },
    claimed: { type: 'boolean', default: false },
    programs: { type: 'string' },
  },
})
const amount = {
  merchants: Number(values.merchants),
  payments: Number(values.payments),
  watched: Number(values.watched),
  byClaim: values.claimed,
}

for (const name of (positionals.length > 0 ? positionals : Object.keys(OPEN)) as Name[]) {
  const open = OPEN[name]
  if (!open) throw new Error(`unknown engine ${name}: ${Object.keys(OPEN).join(', ')}`)
  const ground = await open({ programs: values.programs })
  try {
    const { version, log } = ground
    const title = log ? `${version}, wal_compression = ${log.compression}` : version
    const written = await measureWritten(ground, amount)
    console.log(`\n${title}: ${amount.merchants} merchants of ${amount.payments} payments\n`)
    console.log(tableOf(written))
  } finally {
    await ground.close()
  }
}
