import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from '@tillkit/storage'
import { type Kysely, sql } from 'kysely'
import { SESSIONS } from '../../mysql/sessions/sessions-of-server.ts'
import { isSet } from '../../schema/is-set.ts'
import { runAgain } from '../../session/transactions/run-again.ts'
import { leaves } from '../indexes/mend.ts'
import type { Change } from '../indexes/plan.ts'
import { changeOnMysql, PATIENCE, pauseOf } from './change-on-mysql.ts'
import {
  areNotesThere,
  makeNotes,
  makeTables,
  note,
  progressOf,
  type Run,
  split,
  whatIsLeftOnline,
} from './run.ts'
import { type Place, watching } from './watching.ts'

/** Of kysely's migrator, which earlier versions migrate with: they and this one wait for each other. It is the whole server's. */
const OF_TABLES = sql`${sql.lit('ea586330-2c93-47c8-908d-981d9d270f9d')}`

/** Of those who change indexes of these tables, which takes longer. MySQL has had no `md5` since 9.6; each reads but one of the comments. */
function ofIndexes({ named }: Run) {
  const tables = sql`concat(database(), ${sql.lit(named('/'))})`
  return sql`concat('tillkit ', /*M! md5(${tables}) */ /*!80000 left(sha2(${tables}, 256), 32) */)`
}

type Lock = ReturnType<typeof ofIndexes>

/** How often a migration is begun that meets another one, at a server that shares no lock with this one. */
const MOST_TRIES = 50

/** How often one is begun whose session is ended: a server may be ended by what it is to build. */
const MOST_ENDED = 5

/**
 * Does the migrations by one connection, whose locks end with it. Each statement is committed by itself, so a migration that
 * was killed, or whose session was ended, is gone on with from what there is.
 */
export async function migrateOnMysql(db: Kysely<unknown>, run: Run): Promise<void> {
  if (db.isTransaction) {
    throw new DatabaseError(
      'MariaDB and MySQL commit each statement of a migration by itself: migrate outside of a transaction',
    )
  }
  for (let ended = 1; ; ended++) {
    try {
      return await migrateByOneConnection(db, run)
    } catch (error) {
      if (!run.dialect.isLost(error) || ended === MOST_ENDED) throw error
      // The server may be about to start again.
      await runAgain(run.dialect, true, () => run.checkSession(db))
    }
  }
}

async function migrateByOneConnection(db: Kysely<unknown>, run: Run): Promise<void> {
  await db.connection().execute(async connection => {
    await run.checkSession(connection)
    const { rows } = await sql<Limits>`
      select @@lock_wait_timeout as patience, @@wait_timeout as rest`.execute(connection)
    // A host's driver may have numbers for texts.
    const before = { patience: Number(rows[0]?.patience ?? PATIENCE), rest: Number(rows[0]?.rest ?? REST) }
    try {
      await setLimits(connection, { patience: PATIENCE, rest: REST })
      await whateverOthersDo(connection, run, () => migrateTables(connection, run))
      await whateverOthersDo(connection, run, () => migrateIndexes(connection, db, run))
    } finally {
      await setLimits(connection, before).catch(() => {})
    }
  })
}

/**
 * After how many seconds without a statement the server ends the session, and its locks: those of a process that was stopped. One
 * that waits asks every second.
 */
const REST = 60

interface Limits {
  patience: number
  rest: number
}

const setLimits = (connection: Kysely<unknown>, { patience, rest }: Limits) =>
  sql`set session lock_wait_timeout = ${sql.lit(patience)}, wait_timeout = ${sql.lit(rest)}`.execute(
    connection,
  )

async function whateverOthersDo(
  connection: Kysely<unknown>,
  run: Run,
  work: () => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; ) {
    try {
      return await work()
    } catch (error) {
      if (!run.dialect.isLockWait(error)) {
        const isBeside = run.dialect.isBesideAnother?.(error) || (await wasInTheWay(connection, error))
        if (!isBeside || tries++ === MOST_TRIES) throw error
      }
      await sleep(pauseOf())
    }
  }
}

/** ER_QUERY_INTERRUPTED */
const INTERRUPTED = 1317

/** Whether a node of a Galera cluster has ended this for another node's change of a table; elsewhere an operator has. */
async function wasInTheWay(connection: Kysely<unknown>, error: unknown): Promise<boolean> {
  if ((error as { errno?: unknown } | null)?.errno !== INTERRUPTED) return false
  return (await settingOf(connection, 'wsrep_on')) === 'ON'
}

/** A setting of the server's; undefined where it does not know it. */
async function settingOf(
  connection: Kysely<unknown>,
  name: 'wsrep_on' | 'enforce_storage_engine',
): Promise<string | undefined> {
  const { rows } = await sql<{ Value: string }>`show variables like ${sql.lit(name)}`.execute(connection)
  return rows[0]?.Value
}

/** Does `work` with a lock of the server's, which others are asked for meanwhile, `waiting` being called about every second. */
async function locked(
  connection: Kysely<unknown>,
  name: Lock,
  work: () => Promise<void>,
  waiting: () => Promise<void>,
): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ had: unknown }>`select get_lock(${name}, 1) as had`.execute(connection)
    if (isSet(rows[0]?.had)) break
    await waiting()
  }
  try {
    await work()
  } finally {
    await sql`select release_lock(${name})`.execute(connection).catch(() => {})
  }
}

/**
 * Throws `DatabaseError` where MariaDB makes each table of another engine: tables without transactions would be made before the first one
 * that it refuses, and be kept. MySQL does not know the setting.
 */
async function assertInnodb(connection: Kysely<unknown>): Promise<void> {
  const engine = (await settingOf(connection, 'enforce_storage_engine')) || 'InnoDB'
  if (engine.toLowerCase() === 'innodb') return
  throw new DatabaseError(
    `the server makes all tables of the engine ${engine}, and Tillkit's need InnoDB: set enforce_storage_engine to InnoDB, or to nothing`,
  )
}

/** The lock is the whole server's, and who has nothing to do does not wait for who has. */
async function migrateTables(connection: Kysely<unknown>, run: Run): Promise<void> {
  const isNew = !(await areNotesThere(connection, run))
  const [migration] = Object.keys(isNew ? run.wanted : (await split(connection, run)).pending)
  if (migration === undefined) return
  await assertInnodb(connection)
  const work = async () => {
    if (isNew) await makeNotes(connection, run)
    const { pending } = await split(connection, run)
    await makeTables(connection, run, pending)
  }
  const waiting = async () => {
    const at = await whereItIs(connection, OF_TABLES).catch(() => undefined)
    const { phase = null, done = 0, total = 0 } = at ?? {}
    run.tell({ migration, step: 'tables', table: null, index: null, phase, done, total })
  }
  await locked(connection, OF_TABLES, work, waiting)
}

async function migrateIndexes(connection: Kysely<unknown>, db: Kysely<unknown>, run: Run): Promise<void> {
  const next = async () => (await whatIsLeftOnline(connection, run, await split(connection, run)))[0]
  const change = async (step: Change) => {
    const [seen, work] = [() => whereItIs(db, ofIndexes(run)), () => changeOnMysql(connection, run, step)]
    try {
      await watching(run, step, seen, work)
    } catch (error) {
      if (!leaves(run, step, error)) throw error
    }
  }
  const work = async () => {
    for (let step = await next(); step; step = await next()) {
      if (step.kind === 'note') await note(connection, run, step.migration)
      else await change(step)
    }
  }
  const waiting = async () => {
    const step = await next()
    if (step && step.kind !== 'note')
      run.tell(progressOf(run, step, await whereItIs(connection, ofIndexes(run)).catch(() => undefined)))
  }
  if (await next()) await locked(connection, ofIndexes(run), work, waiting)
}

/** What the session that has the lock is at, and how far it has come, which MySQL does not say. */
async function whereItIs(db: Kysely<unknown>, lock: Lock): Promise<Place | undefined> {
  const { rows } = await sql<{ phase: string; done: string | null }>`
    select state as phase, progress as done from ${SESSIONS} as p
    where id = is_used_lock(${lock})`.execute(db)
  const [at] = rows
  return at && { phase: at.phase, done: Number(at.done), total: at.done === null ? 0 : 100 }
}
