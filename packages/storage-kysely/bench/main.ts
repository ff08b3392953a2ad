import { parseArgs } from 'node:util'
import { tillkit } from './contender.ts'
import { BIG } from './fill.ts'
import { countAhead, FEW, growthOf } from './growth.ts'
import { compare } from './measure.ts'
import { openMysql } from './open-mysql.ts'
import { openPostgres } from './open-postgres.ts'
import { openSqlite } from './open-sqlite.ts'
import { operations } from './operations.ts'

const OPEN = { sqlite: openSqlite, postgres: openPostgres, mysql: openMysql }
type Name = keyof typeof OPEN

const GROWTH = 'status=completed, page 1'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '1000000' }, only: { type: 'string', default: '' } },
})
const count = Number(values.rows)
const names = (positionals.length > 0 ? positionals : Object.keys(OPEN)) as Name[]

for (const name of names) {
  const open = OPEN[name]
  if (!open) throw new Error(`unknown engine ${name}: ${Object.keys(OPEN).join(', ')}`)
  const { version, storage, byHand, isCounted, close } = await open(count)
  const ours = tillkit(storage, BIG)
  await countAhead(ours, isCounted)
  console.log(`\n${version}, one merchant with ${count} payments beside 99 with 500\n`)
  console.log(`| ${'a second'.padEnd(34)} | Tillkit | by hand | ratio |\n|---|---|---|---|`)
  for (const { name, lanes, work } of operations(count)) {
    if (!name.includes(values.only)) continue
    const { ours: a, byHand: b, ratio } = await compare(work(ours), work(byHand), lanes)
    console.log(`| ${name.padEnd(34)} | ${a.toFixed(0)} | ${b.toFixed(0)} | ${ratio.toFixed(2)} |`)
  }
  if (GROWTH.includes(values.only) && count > FEW) {
    const few = await open(FEW)
    const growth = await growthOf(tillkit(few.storage, BIG), ours, 32)
    console.log(`\n${GROWTH}: ${count} payments take ${growth.toFixed(2)} times as long as ${FEW}`)
    await few.close()
  }
  await close()
}
