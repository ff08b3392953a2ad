import { connectionChannel } from '@tillkit/storage/channels'
import type { CompiledQuery } from 'kysely'
import type { Execute } from '../../connections/connections.ts'
import { leftOpen, NotCommitted } from '../../connections/left-open.ts'
import { awaitSeconds, type Deadline } from '../../connections/limits/deadline.ts'
import { longestOf, type TimeLimits } from '../../connections/limits/time-limits.ts'
import { CountedPool, type PoolName } from '../../connections/pools/pool-figures.ts'
import { PoolLine } from '../../connections/pools/pool-line.ts'
import type { ConnectionPool, PooledConnection } from '../../connections/pools/pooled-connections.ts'
import type { Dialect } from '../../dialects/index.ts'
import { wantsArrays } from '../../session/statements/array-rows.ts'
import { isOfGalera } from '../galera.ts'
import { clientOf, cut, type MysqlClient, type MysqlPool, mostAsking } from './mysql-pool.ts'
import { PreparedStatements, type RowForm } from './prepared-statements.ts'

/** What mysql2 makes when nobody says how many. */
const USUAL_SIZE = 10

/** ER_CANT_CHANGE_TX_CHARACTERISTICS: within a transaction. */
const WITHIN = 1568

/** What a server says of the session with each write that it has done. */
const STATUS = { inTransaction: 1, autocommit: 2 }

const AS_ARRAYS: RowForm = { rowsAsArray: true }

/** Makes a new connection's session what Tillkit needs, or refuses it. */
export type Prepare = (session: MysqlSession) => Promise<unknown>

interface Prepared {
  statements: PreparedStatements
  charset: number | undefined
}

/** Whose errors are heard, also where a pool is several storages'. */
const heard = new WeakSet<MysqlClient>()

/** Connections of a pool of mysql2. Queries go straight to it, their values apart from their text. */
export class MysqlConnections implements ConnectionPool {
  readonly #open: () => Promise<MysqlPool>
  readonly #dialect: Dialect
  readonly #prepare: Prepare
  readonly #prepared = new WeakMap<MysqlClient, Prepared>()
  readonly #ofGalera = new WeakMap<MysqlClient, boolean>()
  readonly #figures: CountedPool
  readonly #line = new PoolLine(USUAL_SIZE)
  readonly #toPrepare: number
  #size = USUAL_SIZE

  constructor(
    open: () => Promise<MysqlPool>,
    dialect: Dialect,
    prepare: Prepare,
    limits: Required<TimeLimits>,
    pool: PoolName = 'tillkit',
  ) {
    this.#open = open
    this.#dialect = dialect
    this.#prepare = prepare
    this.#toPrepare = longestOf(limits)
    // mysql2 does not say how many lie idle.
    this.#figures = new CountedPool(pool, 'mysql', {
      max: () => this.#size,
      pending: () => this.#line.length,
      idle: () => undefined,
    })
  }

  size(): number {
    return this.#size
  }

  isFree(): boolean {
    return this.#figures.used + this.#figures.pending < this.#size
  }

  connect(deadline: Deadline): Promise<MysqlSession> {
    if (!connectionChannel.hasSubscribers) return this.#connect(deadline)
    return connectionChannel.tracePromise(this.#connect, { pool: this.#figures }, this, deadline)
  }

  #connect(deadline: Deadline): Promise<MysqlSession> {
    return this.#line.connect(deadline, this.#open(), pool => this.#connected(pool))
  }

  async #connected(pool: MysqlPool): Promise<MysqlSession> {
    this.#size = pool.config?.connectionLimit || USUAL_SIZE
    this.#line.most = mostAsking(pool)
    const client = await clientOf(pool)
    const known = this.#prepared.get(client)
    // Where a host has changed it since, the session is looked at again.
    if (known && known.charset === client.config?.charsetNumber)
      return new MysqlSession(client, known.statements, this.#dialect, this.#figures)
    // The query that a lost connection cuts off says so; said again as an event, unheard, it would end the process.
    if (!heard.has(client)) client.on?.('error', () => {})
    heard.add(client)
    const statements = known?.statements ?? new PreparedStatements(client)
    const session = new MysqlSession(client, statements, this.#dialect, this.#figures)
    try {
      await awaitSeconds(this.#toPrepare, this.#lookAt(session, client, statements))
    } catch (error) {
      session.destroy()
      throw error
    }
    // A session that the pool resets is a new one each time.
    if (!pool.config?.resetOnRelease)
      this.#prepared.set(client, { statements, charset: client.config?.charsetNumber })
    return session
  }

  async #lookAt(session: MysqlSession, client: MysqlClient, statements: PreparedStatements): Promise<void> {
    // First: a server's max_join_size may refuse the look at its settings.
    await this.#prepare(session)
    const ofGalera = this.#ofGalera.get(client) ?? (await isOfGalera(session))
    this.#ofGalera.set(client, ofGalera)
    // Where another node's commit undoes a transaction that is preparing a read, MariaDB 10.11 loses the error: what comes
    // after is written by itself, and the commit, of nothing, succeeds.
    if (ofGalera) statements.prepareNone()
  }
}

/** A connection of mysql2 from when it is handed out until it is given back. */
export class MysqlSession implements PooledConnection {
  readonly #client: MysqlClient
  readonly #statements: PreparedStatements
  readonly #dialect: Dialect
  readonly #figures: CountedPool
  #broken = false
  #over = false
  #begun = false

  constructor(client: MysqlClient, statements: PreparedStatements, dialect: Dialect, figures: CountedPool) {
    this.#client = client
    this.#figures = figures
    figures.used += 1
    this.#statements = statements
    this.#dialect = dialect
  }

  readonly execute: Execute = async <Row>(query: CompiledQuery<Row>) => {
    const result = await this.query(query.sql, query.parameters, wantsArrays(query) ? AS_ARRAYS : {})
    if (Array.isArray(result)) return { rows: result as Row[] }
    const { affectedRows = 0, serverStatus } = result as { affectedRows?: number; serverStatus?: number }
    if (!this.#begun) this.#assertCommitted(serverStatus)
    return { rows: [], numAffectedRows: BigInt(affectedRows) }
  }

  /** Throws, with the connection and what it wrote undone, where a statement by itself was not committed by itself. */
  #assertCommitted(serverStatus = STATUS.autocommit): void {
    const open = (serverStatus & STATUS.inTransaction) !== 0
    if (!open && (serverStatus & STATUS.autocommit) !== 0) return
    this.destroy()
    throw open ? leftOpen() : new NotCommitted(`the session's autocommit is off: set autocommit = 1`)
  }

  async query(sql: string, values: readonly unknown[] = [], form: RowForm = {}): Promise<unknown> {
    try {
      return await this.#statements.send(sql, values, form)
    } catch (error) {
      // Where the address leads to another server by now, or sessions begin otherwise, the next connection does.
      if (!this.#dialect.isAnswer(error) || this.#dialect.isForAnotherSession?.(error)) this.#broken = true
      if (Number((error as { errno?: unknown }).errno) !== WITHIN) throw error
      this.#broken = true
      throw leftOpen(error)
    }
  }

  async begin(): Promise<void> {
    const { isolation } = this.#dialect
    if (isolation) await this.query(`set transaction isolation level ${isolation}`)
    await this.query('begin')
    this.#begun = true
  }

  async commit(): Promise<boolean> {
    await this.query('commit')
    return true
  }

  async rollback(): Promise<void> {
    if (!this.#broken) await this.query('rollback')
  }

  release(): void {
    if (this.#broken) this.destroy()
    else this.#leave(() => this.#client.release())
  }

  destroy(): void {
    this.#leave(() => cut(this.#client))
  }

  #leave(how: () => void): void {
    if (this.#over) return
    this.#over = true
    this.#figures.used -= 1
    how()
  }
}
