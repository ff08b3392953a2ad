import { parseArgs } from 'node:util'
import { mysqlEngine } from '../test/engines/mysql.ts'
import { postgresEngine } from '../test/engines/postgres.ts'
import { sqlite } from '../test/engines/sqlite.ts'
import { BIG } from '../test/planner/fill.ts'
import { openFilled } from '../test/planner/filled-database.ts'
import { meterOf } from '../test/planner/meter-of.ts'
import { SCENES } from '../test/planner/scenes.ts'
import { statementsOf } from '../test/planner/statements.ts'
import type { PlanMode } from '../test/planner/work.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '100000' }, shown: { type: 'string', default: '8' } },
})
const rows = Number(values.rows)
const size = { big: rows, small: Math.floor(rows / 2), backlog: Math.floor(rows / 3) }
const OPEN = { sqlite: async () => sqlite, postgres: postgresEngine, mysql: mysqlEngine }
type Name = keyof typeof OPEN

/** What the suite expects is for its own runner to say; here it is only what sends statements. */
const expect = () => ({ toBe() {}, toEqual() {} })

const WELL = SCENES.findIndex(({ analyzed }) => analyzed)

for (const name of (positionals.length > 0 ? positionals : Object.keys(OPEN)) as Name[]) {
  const engine = await OPEN[name]()
  const { statements } = await statementsOf(engine, BIG, expect)
  const filled = await openFilled(engine, size)
  const modes: PlanMode[] = name === 'postgres' ? ['custom', 'generic'] : ['custom']
  const times = new Map<string, number[]>()
  for (const scene of SCENES) {
    await filled.reach(scene)
    for (const mode of modes) {
      const meter = await meterOf(filled.address, mode)
      for (const [n, statement] of statements.entries()) {
        const asSent = { ...statement, parameters: statement.sent }
        const time = await meter.time(statement).catch(() => meter.time(asSent))
        const key = `${mode} ${n}`
        times.set(key, [...(times.get(key) ?? []), time])
      }
      await meter.close()
    }
  }
  await filled.close()
  await engine.close?.()

  const ratios = [...times].map(([key, all]) => {
    const [mode = '', n = 0] = key.split(' ')
    const slowest = all.indexOf(Math.max(...all))
    const [well = 0, worst = 0] = [all[WELL], all[slowest]]
    const sql = statements[Number(n)]?.sql.replace(/\s+/g, ' ').trim() ?? ''
    return { mode, sql, well, worst, scene: SCENES[slowest]?.name, ratio: worst / well }
  })
  console.log(`\n${engine.name}, ${rows} payments of one merchant: ${statements.length} statements\n`)
  console.log(
    '| ms, statistics fit | slowest | ratio | plan | statistics | statement |\n|---|---|---|---|---|---|',
  )
  for (const { mode, sql, well, worst, scene, ratio } of ratios
    .toSorted((a, b) => b.worst - b.well - (a.worst - a.well))
    .slice(0, Number(values.shown))) {
    console.log(
      `| ${well.toFixed(2)} | ${worst.toFixed(2)} | ${ratio.toFixed(1)} | ${mode} | ${scene} | \`${sql.slice(0, 60)}…\` |`,
    )
  }
}
