/**
 * The API beside the floor, the least code that answers the same, on PostgreSQL, MariaDB and SQLite: requests a second and
 * the servers' processor time for one, at 32 connections and at one, in turns. `npm run bench -w packages/floor`, with the
 * names of engines, `-- --rows 100000`, `--only page`, `--seconds 3`, `--rounds 5` where less or more is wanted.
 */
import { parseArgs } from 'node:util'
import { inTurns, median, type Patience, percentile, ratioOf, warmUp } from './compare.ts'
import { byHand, type Contender, tillkit } from './contender.ts'
import type { Round } from './load.ts'
import { OPEN, type Opened, type Shop } from './open.ts'
import { type Scenario, scenariosOf, totalByStatus } from './scenarios.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '1000000' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
  },
})
const rows = Number(values.rows)
const patience: Patience = { milliseconds: Number(values.seconds) * 1000, rounds: Number(values.rounds) }
const engines = positionals.length > 0 ? positionals : Object.keys(OPEN)

/** Calls that are needed to tell one in a thousand. */
const TAIL: Patience = { milliseconds: 2000, rounds: 8 }

for (const engine of engines) {
  const open = OPEN[engine as keyof typeof OPEN]
  if (!open) throw new Error(`unknown engine ${engine}: ${Object.keys(OPEN).join(', ')}`)
  const opened = await open(rows)
  const floor = await byHand(opened.place)
  const subject = await tillkit(opened.place, 'node')
  try {
    console.log(`\n${opened.version}, one merchant with ${rows} payments beside 99 with 500\n`)
    const scenarios = scenariosOf(rows, opened.big, opened.small)
    for (const contender of [floor, subject]) await warmUp(contender, scenarios)
    await printTable(
      scenarios.filter(({ name }) => name.includes(values.only)),
      floor,
      subject,
    )
    if (values.only === '') {
      await printTail(scenarios[1] as Scenario, floor, subject)
      await printGrowth(opened, [subject, floor])
      if (engine === engines[0]) await printAdapters(scenarios, opened, subject)
    }
  } finally {
    await floor.stop()
    await subject.stop()
    await opened.close()
  }
}

async function printTable(scenarios: Scenario[], floor: Contender, subject: Contender): Promise<void> {
  const heads = [32, 1].map(
    connections => `at ${connections}: Tillkit | by hand | ratio | µs of processor | by hand | ratio`,
  )
  console.log(`| requests a second | ${heads.join(' | ')} |\n|---${'|---'.repeat(12)}|`)
  for (const { name, once } of scenarios) {
    const cells: string[] = []
    for (const connections of [32, 1]) {
      const turns = [floor, subject].map(contender => ({ contender, once }))
      const [theirs = [], ours = []] = await inTurns(turns, connections, patience)
      const [rate, least] = [ours, theirs].map(rounds => median(rounds.map(round => round.perSecond)))
      const [cost = 0, cheapest = 0] = [ours, theirs].map(rounds => median(rounds.map(round => round.cpu)))
      cells.push(`${rate?.toFixed(0)}`, `${least?.toFixed(0)}`, ratioOf(ours, theirs).toFixed(2))
      cells.push(cost.toFixed(0), cheapest.toFixed(0), (cheapest / cost).toFixed(2))
    }
    console.log(`| ${[name, ...cells].join(' | ')} |`)
  }
}

async function printTail({ name, once }: Scenario, floor: Contender, subject: Contender): Promise<void> {
  const turns = [floor, subject].map(contender => ({ contender, once }))
  const [theirs = [], ours = []] = await inTurns(turns, 1, TAIL)
  for (const part of [0.5, 0.99, 0.999]) {
    const [a, b] = [percentile(ours, part), percentile(theirs, part)]
    console.log(
      `${name}, one connection, p${part * 100}: ${a.toFixed(2)} and ${b.toFixed(2)} ms: ${(a / b).toFixed(2)}`,
    )
  }
}

async function printGrowth({ small: [few], big }: Opened, contenders: Contender[]): Promise<void> {
  for (const contender of contenders) {
    const turns = [few, big].map(shop => ({ contender, once: totalByStatus(shop as Shop) }))
    const [quick, slow] = await inTurns(turns, 32, patience)
    console.log(
      `status=completed, ${contender.name}: ${rows} payments take ${ratioOf(quick, slow).toFixed(2)} times as long as 500`,
    )
  }
}

async function printAdapters(scenarios: Scenario[], { place }: Opened, subject: Contender): Promise<void> {
  const others = [await tillkit(place, 'express'), await tillkit(place, 'fastify')]
  for (const contender of others) await warmUp(contender, scenarios)
  for (const { name, once } of scenarios.filter(({ adapters }) => adapters)) {
    const turns = [subject, ...others].map(contender => ({ contender, once }))
    const [plain, ...measured] = await inTurns(turns, 32, patience)
    const costOf = (rounds: Round[] = []) => median(rounds.map(({ cpu }) => cpu))
    for (const [n, contender] of others.entries()) {
      const cost = (costOf(plain) / costOf(measured[n])).toFixed(2)
      console.log(
        `${name}, ${contender.name} to node: ${ratioOf(measured[n], plain).toFixed(2)}, by processor time ${cost}`,
      )
    }
  }
  for (const other of others) await other.stop()
}
