import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import type { Ground } from './ground.ts'
import type { Ports, Received, Worked } from './messages.ts'
import { mysqlGround } from './mysql-ground.ts'
import { postgresGround } from './postgres-ground.ts'

const OPEN = { postgres: postgresGround, mysql: mysqlGround }
type Name = keyof typeof OPEN

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    merchants: { type: 'string', default: '10000' },
    dead: { type: 'string', default: '1000' },
    payments: { type: 'string', default: '4' },
    processes: { type: 'string', default: '1,2,4' },
    rounds: { type: 'string', default: '3' },
  },
})
const [merchants, dead, payments] = [values.merchants, values.dead, values.payments].map(Number) as [
  number,
  number,
  number,
]
const SOUND_ORIGINS = 200

interface Run {
  processes: number
  perSecond: number
  claims: number
  deliveriesAClaim: number
  entriesADelivery: number
  pagesADelivery: number
  statementsADelivery: number
  again: number
}

const COLUMNS: [keyof Run, string, number][] = [
  ['perSecond', 'deliveries a second', 0],
  ['claims', 'claims', 0],
  ['deliveriesAClaim', 'deliveries a claim', 0],
  ['entriesADelivery', 'index entries read for each', 2],
  ['pagesADelivery', 'index pages for each', 2],
  ['statementsADelivery', 'statements for each', 2],
  ['again', 'posted again', 0],
]

/** The dead ones are spread evenly, each an origin; every other one of them takes connections and never answers. */
function urlsAt({ sound, silent, refusing }: Ports): string[] {
  const deadUpTo = (n: number) => Math.floor((n * dead) / merchants)
  return Array.from({ length: merchants }, (_, n) => {
    if (deadUpTo(n + 1) === deadUpTo(n))
      return `http://127.2.0.${1 + (n % SOUND_ORIGINS)}:${sound}/hooks/m${n}`
    return `http://127.3.${n >> 8}.${n & 255}:${deadUpTo(n) % 2 ? silent : refusing}/hooks/m${n}`
  })
}

const program = (name: string, ...given: string[]): ChildProcess =>
  fork(new URL(name, import.meta.url), given, { execArgv: ['--conditions=@tillkit/source'] })
const said = async <Message>(child: ChildProcess): Promise<Message> => (await once(child, 'message'))[0]

async function run(ground: Ground, receivers: ChildProcess, processes: number): Promise<Run> {
  await ground.fill()
  const expected = (merchants - dead) * payments
  const workers = Array.from({ length: processes }, () => program('deliver.ts', ground.dialect, ground.url))
  await Promise.all(workers.map(said))
  const before = { read: await ground.read(), statements: await ground.statements?.() }
  receivers.send(expected)
  const all = said<Received>(receivers)
  for (const worker of workers) worker.send('begin')
  const { seconds, posts } = await all
  const ends = workers.map(worker => said<Worked>(worker))
  for (const worker of workers) worker.send('stop')
  const worked = await Promise.all(ends)
  const sum = (key: keyof Worked) => worked.reduce((total, one) => total + one[key], 0)
  const [claimed, claims] = [sum('claimed'), sum('claims')]
  const statements =
    before.statements === undefined
      ? sum('statements')
      : Number(await ground.statements?.()) - before.statements
  const read = await ground.read()
  return {
    processes,
    perSecond: expected / seconds,
    claims: claims - sum('empty'),
    deliveriesAClaim: claimed / (claims - sum('empty')),
    entriesADelivery: (read.entries - before.read.entries) / claimed,
    pagesADelivery: (read.pages - before.read.pages) / claimed,
    statementsADelivery: statements / expected,
    again: posts - expected,
  }
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const receivers = program('receivers.ts')
const urls = urlsAt(await said<Ports>(receivers))
for (const name of (positionals.length > 0 ? positionals : Object.keys(OPEN)) as Name[]) {
  const open = OPEN[name]
  if (!open) throw new Error(`unknown engine ${name}: ${Object.keys(OPEN).join(', ')}`)
  const ground = await open()
  await ground.prepare({ urls, payments })
  const runs: Run[] = []
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const processes of values.processes.split(',')) {
      runs.push(await run(ground, receivers, Number(processes)))
    }
  }
  console.log(
    `\n${ground.version}: ${payments} webhooks of each of ${merchants} merchants, ${dead} of them dead; medians of ${values.rounds}\n`,
  )
  console.log(`| ${['processes', ...COLUMNS.map(([, title]) => title)].join(' | ')} |`)
  console.log(`|${'---|'.repeat(COLUMNS.length + 1)}`)
  for (const [processes, of] of Map.groupBy(runs, ({ processes }) => processes)) {
    const cells = COLUMNS.map(([key, , digits]) => median(of.map(one => one[key])).toFixed(digits))
    console.log(`| ${[processes, ...cells].join(' | ')} |`)
  }
  await ground.close()
}
receivers.kill()
