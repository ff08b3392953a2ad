import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownPostgres } from '@tillkit/servers'
import { statementChannel } from '@tillkit/storage/channels'
import { LISTENING, measure } from './measure.ts'

// How many rounds, and who is to listen beside nobody where not all are.
const [, , given = '40', ...names] = process.argv
const rounds = Number(given)
const unknown = names.find(name => !LISTENING.some(known => known === name))
if (unknown !== undefined) throw new Error(`${unknown} is none of ${LISTENING.join(', ')}`)
const listening = LISTENING.filter(name => names.length === 0 || name === 'none' || names.includes(name))

const folder = await mkdtemp(join(tmpdir(), 'tillkit-instruments-'))
const postgres = await ownPostgres()
try {
  await measure('SQLite in memory', ':memory:', rounds, listening)
  await measure('SQLite in a file', join(folder, 'till.db'), rounds, listening)
  await measure('PostgreSQL', postgres.url, rounds, listening)
} finally {
  await postgres.remove()
  await rm(folder, { recursive: true, force: true })
}

const asks = 10_000_000
const began = performance.now()
let heard = 0
for (let n = 0; n < asks; n++) if (statementChannel.hasSubscribers) heard += 1
const nanoseconds = ((performance.now() - began) * 1e6) / asks
console.log(`\nto ask whether anybody listens: ${nanoseconds.toFixed(1)} ns, ${heard} heard`)
