import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from '@tillkit/storage'
import { type Kysely, sql } from 'kysely'
import type { Change } from '../indexes/plan.ts'
import { onlineStatement } from '../indexes/statement-of.ts'
import { makeNotes, makeTables, note, progressOf, type Run, split, whatIsLeft } from './run.ts'
import { type Place, watching } from './watching.ts'

/** Of kysely's migrator, which earlier versions migrate with: they and this one wait for each other. */
const LOCK = sql.lit('ea586330-2c93-47c8-908d-981d9d270f9d')

/** How often a migration is begun that meets another one, at a server that shares no lock with this one. */
const MOST_TRIES = 50

/**
 * For how many seconds a change waits for statements and transactions that are at its table; for so long those that come later wait
 * for the change. In between they go on for as long as `LONGEST_PAUSE`, in milliseconds, says at most.
 */
const PATIENCE = 1
const LONGEST_PAUSE = 1000

/** The most that a change waits whose work would be lost. */
const MOST_PATIENCE = 30

/**
 * Does the migrations by one connection, which holds a lock of the server's and ends it by ending. Each statement is
 * committed by itself, so a migration that was killed is gone on with from what there is.
 */
export async function migrateOnMysql(db: Kysely<unknown>, run: Run): Promise<void> {
  if (db.isTransaction) {
    throw new DatabaseError(
      'MariaDB and MySQL commit each statement of a migration by itself: migrate outside of a transaction',
    )
  }
  await db.connection().execute(async connection => {
    await run.checkSession(connection)
    const { rows } = await sql<Session>`
      select @@lock_wait_timeout as patience, connection_id() as id`.execute(connection)
    const [session] = rows as [Session]
    await locked(connection)
    try {
      await whateverOthersDo(run, () => migrateLocked(connection, () => whereItIs(db, session), run))
    } finally {
      await setPatience(connection, session.patience).catch(() => {})
      await sql`select release_lock(${LOCK})`.execute(connection).catch(() => {})
    }
  })
}

interface Session {
  /** What the host has set it to: for how many seconds a change waits. */
  patience: number
  id: number
}

async function locked(connection: Kysely<unknown>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ had: number }>`select get_lock(${LOCK}, 10) as had`.execute(connection)
    if (rows[0]?.had === 1) return
  }
}

const setPatience = (connection: Kysely<unknown>, seconds: number) =>
  sql`set session lock_wait_timeout = ${sql.lit(seconds)}`.execute(connection)

async function whateverOthersDo(run: Run, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; ) {
    try {
      return await work()
    } catch (error) {
      if (!run.dialect.isLockWait(error)) {
        if (tries++ === MOST_TRIES || !run.dialect.isBesideAnother?.(error)) throw error
      }
      await sleep(Math.random() * LONGEST_PAUSE)
    }
  }
}

async function migrateLocked(
  connection: Kysely<unknown>,
  whereItIs: () => Promise<Place | undefined>,
  run: Run,
): Promise<void> {
  await setPatience(connection, PATIENCE)
  await makeNotes(connection, run)
  const { pending } = await split(connection, run)
  await makeTables(connection, run, pending)
  for (;;) {
    const [step] = await whatIsLeft(connection, run, await split(connection, run))
    if (!step) return
    if (step.kind === 'note') await note(connection, run, step.migration)
    else await watching(run, step, whereItIs, () => change(connection, run, step))
  }
}

/** An index that was built and could not be put in its place is built anew, with the more patience the longer it took. */
async function change(connection: Kysely<unknown>, run: Run, step: Change) {
  for (let patience = PATIENCE; ; ) {
    await setPatience(connection, patience)
    const begin = performance.now()
    try {
      await connection.executeQuery(onlineStatement(connection, run, step))
      return
    } catch (error) {
      if (!run.dialect.isLockWait(error)) throw refusedOr(error, run, step)
      const lost = (performance.now() - begin) / 1000 - patience
      patience = Math.min(Math.max(PATIENCE, Math.ceil(lost / 10)), MOST_PATIENCE)
      await sleep(Math.random() * LONGEST_PAUSE)
    }
  }
}

/** ER_ALTER_OPERATION_NOT_SUPPORTED, and the same with a reason. */
const NOT_ONLINE = new Set([1845, 1846])

function refusedOr(error: unknown, run: Run, step: Change): unknown {
  if (!NOT_ONLINE.has(Number((error as { errno?: unknown } | null)?.errno))) return error
  const { table, index } = progressOf(run, step)
  return new DatabaseError(
    `the database cannot change index ${index} of ${table} while others write: do it by hand when nobody does, and migrate again`,
    { cause: error },
  )
}

/** How far the server says that the session has come. MySQL does not say. */
async function whereItIs(db: Kysely<unknown>, { id }: Session): Promise<Place | undefined> {
  const { rows } = await sql<{ phase: string; done: string }>`
    select state as phase, progress as done from information_schema.processlist where id = ${sql.lit(id)}`.execute(
    db,
  )
  const [at] = rows
  return at && { phase: at.phase, done: Number(at.done), total: 100 }
}
