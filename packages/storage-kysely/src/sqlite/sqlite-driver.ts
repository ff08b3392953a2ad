import { DatabaseError } from '@tillkit/storage'
import type { Database, Statement } from 'better-sqlite3'
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely'
import { told } from '../channels/publish-statement.ts'
import { ofCommit } from '../connections/commit-unknown.ts'
import type { Execute } from '../connections/connections.ts'
import { StillLocked } from '../connections/still-locked.ts'
import { isReadOnly, sqlite } from '../dialects/sqlite.ts'
import { wantsArrays } from '../session/statements/array-rows.ts'
import { DriverTurns } from './driver-turns.ts'
import { isLocked, waitForLock } from './lock-wait.ts'
import { openFile } from './open-file.ts'
import { stillThere } from './still-there.ts'

const BEGIN = CompiledQuery.raw('begin immediate')
const COMMIT = CompiledQuery.raw('commit')
const BEGIN_READS = CompiledQuery.raw('begin')
const END_READS = CompiledQuery.raw('end')

const nothing = () => {}

/** One better-sqlite3 connection: statements are compiled once, and a transaction holds the write lock from its start. */
export class SqliteDriver implements Driver {
  readonly #file: string
  readonly #lockWait: number
  #connection: SqliteConnection | undefined
  #opening: Promise<void> | undefined
  #closed = false
  #taken = false
  readonly #turns: DriverTurns

  constructor(file: string, lockWait: number) {
    this.#file = file
    this.#lockWait = lockWait
    this.#turns = new DriverTurns(file, lockWait)
  }

  /** Opens the file; one that could not be is tried again. */
  init(): Promise<void> {
    this.#opening ??= this.#open().catch(error => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async #open(): Promise<void> {
    if (this.#closed) refuseClosed()
    const database = await openFile(this.#file, this.#lockWait)
    if (this.#closed) {
      database.close()
      refuseClosed()
    }
    this.#connection = new SqliteConnection(database, this.#file, this.#lockWait)
  }

  acquireConnection(): Promise<SqliteConnection> {
    return this.#acquire()
  }

  /** One at a time has it, whether he comes by way of kysely or straight. */
  async #acquire(since = performance.now()): Promise<SqliteConnection> {
    if (this.#closed) refuseClosed()
    const { connection } = this
    if (this.#taken) await this.#turns.wait(since)
    this.#taken = true
    connection.waitedSince = since
    return connection
  }

  async releaseConnection(): Promise<void> {
    this.#release()
  }

  #release(): void {
    this.#taken = this.#turns.next()
  }

  /** The connection for what needs no turn: single reads. */
  get connection(): SqliteConnection {
    if (!this.#connection) throw new Error('the driver is not initialised')
    return this.#connection
  }

  beginTransaction(connection: DatabaseConnection): Promise<void> {
    const begin = () => told(query => connection.executeQuery(query), 'sqlite', BEGIN, nothing)
    const connected = this.#connection
    return connected?.onlyReads ? connected.openAnew().then(begin) : begin()
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return told(query => connection.executeQuery(query), 'sqlite', COMMIT, nothing)
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A full disk, say, makes SQLite roll back by itself; a second one would hide the error that did it.
    if (this.#connection?.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  /**
   * Does `work` in a transaction at its turn, which commits when it is done and is rolled back when it throws: straight, since by way
   * of kysely a start and an outcome take the processor a fourth longer.
   */
  async transact<Result>(work: (execute: Execute) => Promise<Result>, since?: number): Promise<Result> {
    if (!this.#connection) await this.init()
    const connection = await this.#acquire(since)
    let [began, committing] = [false, false]
    try {
      await this.beginTransaction(connection)
      began = true
      const result = await work(query => connection.executeQuery(query))
      committing = true
      await this.commitTransaction(connection)
      return result
    } catch (error) {
      if (began) await this.rollbackTransaction(connection).catch(nothing)
      throw committing ? ofCommit(error, sqlite) : error
    } finally {
      this.#release()
    }
  }

  /** Nothing is opened from now on. */
  async destroy(): Promise<void> {
    this.#closed = true
    this.#turns.refuseAll(new DatabaseError(CLOSED))
    this.#connection?.close()
    await this.#opening?.catch(nothing)
  }
}

class SqliteConnection implements DatabaseConnection {
  #database: Database
  readonly #file: string
  readonly #lockWait: number
  #assertThere: (commits: boolean) => void
  readonly #statements = new Map<string, Statement<unknown[], unknown>>()
  #onlyReads = false
  /** Since when who has it has waited for it, by `performance.now()`, where one at a time has it. */
  waitedSince: number | undefined
  /** Since when the lock was not had, whoever asked for it, and when that was last seen. */
  #locked: { since: number; seen: number } | undefined

  constructor(database: Database, file: string, lockWait: number) {
    this.#database = database
    this.#file = file
    this.#lockWait = lockWait
    this.#assertThere = this.#watch(database)
  }

  #watch(database: Database): (commits: boolean) => void {
    return database.memory ? nothing : stillThere(this.#file, () => database.inTransaction)
  }

  /** Whether the last write was refused, since the file may not be written, or could not when it was opened. */
  get onlyReads(): boolean {
    return this.#onlyReads
  }

  /** SQLite does not notice that a file which was only read so far may be written by now. */
  async openAnew(): Promise<void> {
    this.#assertThere(false)
    const before = this.#database
    const opened = await openFile(this.#file, this.#lockWait)
    if (!before.open) {
      opened.close()
      refuseClosed()
    }
    this.#statements.clear()
    this.#database = opened
    this.#assertThere = this.#watch(opened)
    before.close()
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return this.#execute(query)
    } catch (error) {
      if (isReadOnly(error)) this.#onlyReads = true
      // Inside a transaction that may write the lock is held, so that only a statement of its own, or its beginning, may meet another's.
      const holdsLock = this.#database.inTransaction && this.waitedSince !== undefined
      if (holdsLock || !isLocked(error)) throw error
    }
    const now = performance.now()
    const known = this.#locked
    // Nobody's time is spent by what this process itself was doing.
    const since = known && now - known.seen <= this.#lockWait ? known.since : now
    this.#locked = { since, seen: now }
    const waited = (from: number) => performance.now() - Math.max(from, since)
    const left = this.#lockWait - waited(this.waitedSince ?? now)
    return waitForLock(left, () => this.#execute<Row>(query)).catch(error => {
      if (!isLocked(error)) throw error
      this.#locked = { since, seen: performance.now() }
      const held = `for ${this.#lockWait / 1000} seconds`
      const isOver = (from: number) => waited(from) >= this.#lockWait
      throw new StillLocked(`another process has held the lock of ${this.#file} ${held}`, isOver, {
        cause: error,
      })
    })
  }

  /**
   * Has one transaction be around what those read who wait for `wake`, each by its first statement: SQLite takes its lock and looks at
   * its log once for all of them, which takes about as long as to find a payment by its id. It ends before any of them has its answer,
   * so that none finds what was there before it asked.
   */
  readTogether(wake: () => void): void {
    try {
      this.#execute(BEGIN_READS)
    } catch {
      // Each meets that by itself.
    }
    wake()
    queueMicrotask(() => {
      if (this.#database.inTransaction) this.#execute(END_READS)
    })
  }

  /** Looks at each try whether the file is there: it may be replaced while its lock is waited for. */
  #execute<Row>(query: CompiledQuery): QueryResult<Row> {
    this.#assertThere(query === COMMIT)
    const { sql, parameters } = query
    const statement = this.#statement(sql, wantsArrays(query))
    // Who only reads learns nothing of the lock.
    if (statement.reader) return { rows: statement.all(...parameters) as Row[] }
    const { changes } = statement.run(...parameters)
    this.#locked = undefined
    if (changes > 0) this.#onlyReads = false
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  #statement(sql: string, inArrays: boolean): Statement<unknown[], unknown> {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#database.prepare<unknown[], unknown>(sql)
    if (inArrays && statement.reader) statement.raw(true)
    if (this.#statements.size >= 500) this.#statements.clear()
    this.#statements.set(sql, statement)
    return statement
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
  }

  /** What waits for the lock is told so, instead of what the driver or the missing files would have it say. */
  close(): void {
    this.#assertThere = refuseClosed
    this.#database.close()
  }
}

const CLOSED = 'the storage is closed'

function refuseClosed(): never {
  throw new DatabaseError(CLOSED)
}
