import { BIG } from './fill.ts'
import { openMysql, openPostgres, openSqlite } from './reports/open.ts'

const [engine = 'sqlite'] = process.argv.slice(2).filter(word => !word.startsWith('--'))
const rowsAt = process.argv.indexOf('--rows')
const rows = rowsAt < 0 ? 1_000_000 : Number(process.argv[rowsAt + 1])
const open = { sqlite: openSqlite, postgres: openPostgres, mysql: openMysql }[engine]
if (!open) throw new Error('the first word is sqlite, postgres or mysql')

const ROUNDS = 7
const ground = await open(rows)
const { storage, byHand } = ground

/** A day by hours, of the merchant's last tenth. */
const begin = Math.floor((Date.parse('2026-01-01T00:00:00Z') + rows * 900) / 86_400_000) * 86_400_000
const bounds = Array.from(
  { length: 25 },
  (_, n) => `${new Date(begin + n * 3_600_000).toISOString().slice(0, 19)}Z`,
)
const [from = '', to = ''] = [bounds[0], bounds.at(-1)]

const QUESTIONS = [
  {
    name: 'open period of all payments',
    ours: () => storage.reports.period(BIG, null),
    byHand: () => byHand.period(BIG),
  },
  {
    name: 'a day by hours, one merchant',
    ours: () => storage.reports.takings(BIG, bounds),
    byHand: () => byHand.takings(from, to, BIG),
  },
  {
    name: 'a day by hours, all merchants',
    ours: () => storage.reports.takings(null, bounds),
    byHand: () => byHand.takings(from, to),
  },
]

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < ROUNDS; n++) times.push(await timed(work))
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0
}

/** Until nothing more has been kept for two seconds. */
async function untilKept(): Promise<number> {
  let [kept, since] = [-1, performance.now()]
  while (performance.now() - since < 2000) {
    const now = await ground.kept()
    if (now !== kept) [kept, since] = [now, performance.now()]
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return kept
}

console.log(`${ground.version}, ${rows} payments of one merchant beside 49,500 of 99 others; milliseconds`)
for (const { name, ours, byHand } of QUESTIONS) {
  await ground.forget()
  const hand = await median(byHand)
  const first = await timed(ours)
  const kept = await untilKept()
  const again = await median(ours)
  console.log(
    `${name}: by hand ${hand.toFixed(1)}; first ${first.toFixed(1)} (${(first / hand).toFixed(2)} times as long), ` +
      `with ${kept} blocks kept ${again.toFixed(1)} (${(hand / again).toFixed(1)} times as fast)`,
  )
}
await ground.close()
