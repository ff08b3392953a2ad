/**
 * The API on `node:http` beside the least code that answers the same, both on one SQLite file, at 32 connections in
 * interleaved rounds: requests a second, and the processor time that the server spends on one, which other work on the
 * machine disturbs less. `npm run bench -w packages/node`
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seed } from './seed.ts'

const PAYMENTS = Number(process.env.PAYMENTS ?? 100_000)
const SECONDS = Number(process.env.SECONDS_A_ROUND ?? 3)
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const CONNECTIONS = 32

const folder = await mkdtemp(join(tmpdir(), 'tillkit-bench-'))
const file = join(folder, 'till.db')
const { apiKey: key } = await seed(file, PAYMENTS)
const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`

async function serve(program: string, port: number) {
  const child = fork(join(import.meta.dirname, program), [file, String(port)], {
    execArgv: ['--conditions=@tillkit/source'],
  })
  await once(child, 'message')
  return child
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu')
  const [microseconds] = await once(child, 'message')
  return microseconds
}

interface Rates {
  perSecond: number[]
  cpu: number[]
}

/** One round: requests a second that the server answers with 200, and its microseconds of processor time for one. */
async function round(child: ChildProcess, port: number, path: () => string, rates: Rates): Promise<void> {
  const before = await cpuOf(child)
  const answered = await load(port, path)
  rates.perSecond.push(answered / SECONDS)
  rates.cpu.push(((await cpuOf(child)) - before) / answered)
}

/** How many requests a server answers with 200 in a round. */
async function load(port: number, path: () => string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const until = performance.now() + SECONDS * 1000
  let answered = 0
  const one = () =>
    new Promise<void>((resolve, reject) => {
      request({ agent, port, host: '127.0.0.1', path: path(), headers: { authorization } }, response => {
        if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`))
        response.resume().once('end', resolve)
      })
        .once('error', reject)
        .end()
    })
  const worker = async () => {
    while (performance.now() < until) {
      await one()
      answered++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
  agent.destroy()
  return answered
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const [subject, floor] = await Promise.all([serve('subject.ts', 18_701), serve('floor.ts', 18_702)])
const requests: [string, () => string][] = [
  ['one payment by id', () => `/v1/payments/${1 + Math.floor(Math.random() * PAYMENTS)}`],
  ['first page of 50', () => '/v1/payments'],
  ['a deep page of 50', () => `/v1/payments?page=${Math.floor(PAYMENTS / 100)}`],
  ['status=completed, first page', () => '/v1/payments?status=completed'],
]
console.log(`${PAYMENTS} payments; medians of ${ROUNDS} rounds; the API beside the least code`)
for (const [name, path] of requests) {
  const api: Rates = { perSecond: [], cpu: [] }
  const least: Rates = { perSecond: [], cpu: [] }
  for (let i = 0; i < ROUNDS; i++) {
    await round(floor, 18_702, path, least)
    await round(subject, 18_701, path, api)
  }
  const [a, b] = [median(api.perSecond), median(least.perSecond)]
  const [c, d] = [median(api.cpu), median(least.cpu)]
  console.log(
    `${name.padEnd(30)} ${Math.round(a)} and ${Math.round(b)} requests a second: ${(a / b).toFixed(2)};`,
    `${c.toFixed(1)} and ${d.toFixed(1)} µs of processor each: ${(d / c).toFixed(2)}`,
  )
}
subject.kill()
floor.kill()
await rm(folder, { recursive: true })
