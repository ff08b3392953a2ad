import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownPostgres } from '@tillkit/servers'
import { statementChannel } from '@tillkit/storage/channels'
import { measure } from './measure.ts'

const rounds = Number(process.argv[2] ?? 15)

const folder = await mkdtemp(join(tmpdir(), 'tillkit-instruments-'))
const postgres = await ownPostgres()
try {
  await measure('SQLite in memory', ':memory:', rounds)
  await measure('SQLite in a file', join(folder, 'till.db'), rounds)
  await measure('PostgreSQL', postgres.url, rounds)
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
