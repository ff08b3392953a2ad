/**
 * What each kind of hostile request costs the server, in processor time, beside an ordinary one: the median of rounds, in
 * each of which ordinary requests are measured right before and after it, so that a busy machine slows both. The server is a
 * process of its own. Fails where one costs more than ten times as much. Ends within two minutes. `npm run bench:abuse`
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seed } from '../seed.ts'
import { clientOf } from './client.ts'
import { type Kind, kinds } from './requests.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 9)
const REQUESTS = Number(process.env.REQUESTS ?? 64)
/** No round begins after so many seconds. Fewer than three are none. */
const SECONDS = Number(process.env.SECONDS ?? 80)
const PORT = Number(process.env.PORT ?? 18_703)
const CONNECTIONS = 8
const MOST = 10

const folder = await mkdtemp(join(tmpdir(), 'tillkit-abuse-'))
const file = join(folder, 'till.db')
const { apiKey, code } = await seed(file, 2000)
const heavy = await seed(file, 100, { id: 'heavy', extra: { notes: '\u0001'.repeat(8000) } })
const server = fork(join(import.meta.dirname, 'server.ts'), [file, String(PORT)], {
  execArgv: ['--conditions=@tillkit/source'],
})
await once(server, 'message')
const client = clientOf(PORT, CONNECTIONS)

async function cpu(): Promise<number> {
  server.send('cpu')
  const [microseconds] = await once(server, 'message')
  return microseconds
}

/** Microseconds of the server's processor time for one request of the kind. */
async function measured({ ask, each = 1 }: Kind): Promise<number> {
  const asks = Math.ceil(REQUESTS / each)
  let left = asks
  const before = await cpu()
  const worker = async () => {
    while (left-- > 0) await ask()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
  return ((await cpu()) - before) / (asks * each)
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

try {
  const [ordinary, ...hostile] = await kinds({ client, apiKey, code, heavyKey: heavy.apiKey })
  // Code that is not compiled yet would be measured, not the requests.
  for (let i = 0; i < 3; i++) for (const kind of [ordinary, ...hostile]) await measured(kind)

  const started = performance.now()
  const rounds = new Map(hostile.map(({ name }) => [name, [] as { cost: number; ratio: number }[]]))
  const ordinaries: number[] = []
  for (let i = 0; i < ROUNDS && (i < 3 || performance.now() - started < SECONDS * 1000); i++) {
    let before = await measured(ordinary)
    for (const kind of hostile) {
      const cost = await measured(kind)
      const after = await measured(ordinary)
      rounds.get(kind.name)?.push({ cost, ratio: (2 * cost) / (before + after) })
      ordinaries.push(after)
      before = after
    }
  }
  const shown = (name: string, cost: number, ratio: number) =>
    console.log(
      `${name.padEnd(46)}${cost.toFixed(0).padStart(7)} µs ${ratio.toFixed(1).padStart(6)}${ratio > MOST ? '  too much' : ''}`,
    )
  console.log(`processor time of one request, and how often that of an ordinary one; medians`)
  shown(ordinary.name, median(ordinaries), 1)
  for (const [name, each] of rounds) {
    const ratio = median(each.map(round => round.ratio))
    shown(name, median(each.map(round => round.cost)), ratio)
    if (ratio > MOST) process.exitCode = 1
  }
} finally {
  client.close()
  server.kill()
  await once(server, 'exit')
  await rm(folder, { recursive: true })
}
