import { type Finding, findingsOf } from '@tillkit/domain'
import { sql } from 'kysely'
import { type EngineInspection, type Looking, lookAt } from '../looking.ts'
import { inspectFile } from './inspect-file.ts'
import { sqliteConflicts } from './sqlite-conflicts.ts'
import { sqliteTriggers } from './sqlite-triggers.ts'

const { ok, note, warning, problem } = findingsOf('durability')

const SYNCHRONOUS = ['OFF', 'NORMAL', 'FULL', 'EXTRA']

/** SQLite, over the connection that writes. */
export async function inspectSqlite(looking: Looking): Promise<EngineInspection> {
  const { db } = looking
  const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(db)
  const pragma = async (name: string): Promise<string> => {
    const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db)
    return `${Object.values(rows[0] ?? {})[0] ?? ''}`
  }
  const synchronous = await pragma('synchronous')
  const settings = {
    journal_mode: await pragma('journal_mode'),
    synchronous: SYNCHRONOUS[Number(synchronous)] ?? synchronous,
    encoding: await pragma('encoding'),
    page_size: await pragma('page_size'),
    page_count: await pragma('page_count'),
    freelist_count: await pragma('freelist_count'),
  }
  const { rows: databases } = await sql<{ name: string; file: string }>`pragma database_list`.execute(db)
  const file = databases.find(({ name }) => name === 'main')?.file ?? ''
  return {
    engine: 'SQLite',
    version: rows[0]?.version ?? '',
    settings,
    findings: [
      ...durability(file, settings),
      ...(await lookAt('tables', looking, () => sqliteConflicts(looking))),
      ...(await lookAt('triggers', looking, () => sqliteTriggers(looking))),
      ...(file === '' ? [] : await lookAt('locks', looking, () => inspectFile(looking, file))),
    ],
  }
}

function durability(
  file: string,
  { journal_mode, synchronous }: { journal_mode: string; synchronous: string },
): Finding[] {
  if (file === '') {
    return [warning('The database is in memory, and is gone when its process ends.', 'Name a file.')]
  }
  const found: Finding[] = []
  if (synchronous === 'OFF' || synchronous === 'NORMAL') {
    const says = `synchronous is ${synchronous}: a power cut takes back payments that were acknowledged.`
    found.push(problem(says, 'Set PRAGMA synchronous = FULL on each connection that writes.'))
  }
  if (['off', 'memory'].includes(journal_mode)) {
    const says = `journal_mode is ${journal_mode}: a process that is killed while it writes may leave a damaged file.`
    found.push(problem(says, 'Set PRAGMA journal_mode = WAL.'))
  } else if (journal_mode !== 'wal') {
    const says = `journal_mode is ${journal_mode}: reads and writes wait for each other.`
    found.push(note(says, 'Set PRAGMA journal_mode = WAL.'))
  }
  if (found.every(({ level }) => level === 'note')) {
    found.unshift(ok(`What is acknowledged is on the disk: synchronous is ${synchronous}.`))
  }
  return found
}
