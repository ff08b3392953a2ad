import { parseArgs } from 'node:util'
import { deliveredAt, type Ground } from './retention/ground.ts'
import { mysqlGround } from './retention/mysql-ground.ts'
import { postgresGround } from './retention/postgres-ground.ts'

const OPEN = { postgres: postgresGround, mysql: mysqlGround }
type Name = keyof typeof OPEN

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '10000000' },
    turnover: { type: 'string', default: '700000' },
    rounds: { type: 'string', default: '5' },
  },
})
const [rows, turnover, rounds] = [Number(values.rows), Number(values.turnover), Number(values.rounds)]
/** As many rows are written by one statement. */
const CHUNK = { filled: 250_000, delivered: 10_000 }
/** What a step of `till.webhooks.purge` removes. */
const STEP = 500

async function inChunks(
  work: (first: number, last: number) => Promise<void>,
  first: number,
  last: number,
  size: number,
): Promise<void> {
  for (let n = first; n <= last; n += size) await work(n, Math.min(n + size - 1, last))
}

/** Purges all up to the one with that number, and says how many pages a step looked at, in the first and last tenth. */
async function purge({ deliveries, pages }: Ground, last: number): Promise<number[]> {
  const [steps, tenth] = [turnover / STEP, Math.floor(turnover / STEP / 10)]
  const before = deliveredAt(last + 1)
  const looked = async (count: number) => {
    const began = await pages?.()
    for (let n = 0; n < count; n++) await deliveries.purge(before, STEP)
    return began === undefined ? Number.NaN : (Number(await pages?.()) - began) / count
  }
  const first = await looked(tenth)
  await looked(steps - 2 * tenth)
  const end = await looked(tenth)
  if ((await deliveries.purge(before, STEP)) !== 0) throw new Error('more was purged than had been delivered')
  return pages ? [first, end] : []
}

for (const name of (positionals.length > 0 ? positionals : Object.keys(OPEN)) as Name[]) {
  const open = OPEN[name]
  if (!open) throw new Error(`unknown engine ${name}: ${Object.keys(OPEN).join(', ')}`)
  const ground = await open()
  await inChunks(ground.fill, 1, rows, CHUNK.filled)
  await ground.settled()
  const megabytes = async () => (await ground.sizes()).map(({ bytes }) => (bytes / 2 ** 20).toFixed(0))
  const titles = (await ground.sizes()).map(({ name }) => `${name}, MiB`)
  console.log(`\n${ground.version}: ${rows} delivered, in each round ${turnover} more and as many purged\n`)
  const paged = ground.pages ? ['pages a step, first tenth', 'last tenth'] : []
  console.log(`| ${['round', ...titles, ...paged].join(' | ')} |`)
  console.log(`|${'---|'.repeat(titles.length + paged.length + 1)}`)
  console.log(`| ${[0, ...(await megabytes()), ...paged.map(() => '')].join(' | ')} |`)
  for (let round = 1; round <= rounds; round++) {
    await ground.holdBack(true)
    const first = rows + (round - 1) * turnover + 1
    await inChunks(ground.deliver, first, first + turnover - 1, CHUNK.delivered)
    const pages = await purge(ground, round * turnover)
    await ground.holdBack(false)
    await ground.settled()
    const cells = [round, ...(await megabytes()), ...pages.map(count => count.toFixed(0))]
    console.log(`| ${cells.join(' | ')} |`)
  }
  await ground.close()
}
