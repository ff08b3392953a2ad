import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** What one process needed: milliseconds until it listened, by the clock and of its main thread, and bytes of memory at rest. */
type Needs = Record<'wall' | 'cpu' | 'memory', number>

const PROGRAMS = {
  bare: 'a bare node:http',
  imported: 'and imports storage-kysely/postgres, till, http',
  used: 'a host on SQLite that has posted a webhook',
}
type Program = keyof typeof PROGRAMS
const names = Object.keys(PROGRAMS) as Program[]

/** As a host runs: the built packages, by no condition of this repository's. */
async function needsOf(name: Program): Promise<Needs> {
  const file = fileURLToPath(new URL(`${name}.js`, import.meta.url))
  const child = fork(file, { execArgv: [], env: { ...process.env, NODE_OPTIONS: '' } })
  const ended = once(child, 'exit')
  const told = once(child, 'message')
  const needs = await Promise.race([
    told.then(([needs]) => needs as Needs),
    ended.then(([code]) => {
      throw new Error(`${name}.js ended with ${code}: is everything built?`)
    }),
  ])
  child.kill()
  await ended
  return needs
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const runs = Number(process.argv[2] ?? 15)
const found: Record<Program, Needs[]> = { bare: [], imported: [], used: [] }
for (let run = 0; run < runs; run++) {
  // In turns, so that whatever else the machine does befalls all of them.
  for (const name of names) found[name].push(await needsOf(name))
}

const unit = { wall: 1, cpu: 1, memory: 1e6 }
function cell(name: Program, what: keyof Needs): string {
  const value = median(found[name].map(needs => needs[what]))
  const bare = median(found.bare.map(needs => needs[what]))
  const own = Math.round(value / unit[what])
  return name === 'bare'
    ? `${own}`
    : `${own}, +${Math.round((value - bare) / unit[what])} (${(value / bare).toFixed(1)}x)`
}

console.log(`Node ${process.version}, medians of ${runs} runs in turns\n`)
console.log(['process', 'ms to listening', 'of them its main thread computed', 'MB at rest'].join(' | '))
console.log('---|---|---|---')
for (const name of names) {
  console.log([PROGRAMS[name], cell(name, 'wall'), cell(name, 'cpu'), cell(name, 'memory')].join(' | '))
}
