import { connectionChannel } from '@tillkit/storage/channels'
import type { CompiledQuery, PostgresQueryResult } from 'kysely'
import type { Execute, LockLimits } from '../connections/connections.ts'
import { leftOpen } from '../connections/left-open.ts'
import { CountedPool, type PoolName } from '../connections/pool-figures.ts'
import type { ConnectionPool, PooledConnection } from '../connections/pooled-connections.ts'
import { errorCode } from '../dialects/error-code.ts'
import type { Dialect } from '../dialects/index.ts'
import { isOutOfDate } from '../dialects/postgres-errors.ts'
import { wantsArrays } from '../session/array-rows.ts'
import { statementName } from '../session/statement-name.ts'
import { AS_ARRAYS, type RowForm } from './array-form.ts'
import { arrayQuery } from './array-query.ts'
import { cancelRequest } from './cancel-request.ts'
import { hearClient, type PgClient, type PgPool, send } from './pg-pool.ts'

/** What pg makes when nobody says how many. */
const USUAL_SIZE = 10

/** Makes a new connection's session what Tillkit needs, or refuses it. Resolves to false where that is to be done again. */
export type Prepare = (connection: PgConnection) => Promise<boolean>

/** Settings that a server tells of when they change (the second from PostgreSQL 18 on), and that change what is said. */
const MEANING = new Set(['client_encoding', 'search_path'])

/** How a pool's connections are used. */
interface Ways {
  /** Which of the process' pools it is. */
  pool?: PoolName | undefined
  /** Whether a session is to keep prepared statements by their names; so it is where that is left out. */
  isNamed?: () => boolean
  /** Whether a wait for a lock has to be ended from here, the session that waits not being Tillkit's own. */
  mayInterrupt?: () => boolean
  /** Whether rows are locked at other nodes, which a setting of this session does not hold for by itself. */
  distributed?: () => boolean
  /** Knows the errors after which a connection is of no more use, though the server goes on. */
  isOver?: ((error: unknown) => boolean) | undefined
  /** How long a transaction may lie idle, where it has to be told so itself. */
  idleSeconds?: number | undefined
}

/**
 * Connections of a pool of pg. Queries go straight to it: by way of kysely a short one costs half as much again. They are
 * named prepared statements, which a connection parses and plans once.
 */
export class PgConnections implements ConnectionPool {
  readonly #open: () => Promise<PgPool>
  readonly #dialect: Dialect
  readonly #prepare: Prepare
  readonly #ways: Ways
  #prepared = new WeakSet<PgClient>()
  readonly #heard = new WeakSet<PgClient>()
  readonly #figures: CountedPool
  #size = USUAL_SIZE
  #pool: PgPool | undefined

  constructor(open: () => Promise<PgPool>, dialect: Dialect, prepare: Prepare, ways: Ways = {}) {
    this.#open = open
    this.#dialect = dialect
    this.#prepare = prepare
    this.#ways = ways
    const idle = () => this.#pool?.idleCount
    this.#figures = new CountedPool(ways.pool ?? 'tillkit', 'postgres', { max: () => this.#size, idle })
  }

  size(): number {
    return this.#size
  }

  isFree(): boolean {
    const { totalCount = 0, idleCount = 0 } = this.#pool ?? {}
    // Of a host's pool the host may have most itself.
    return Math.max(this.#figures.used, totalCount - idleCount) + this.#figures.pending < this.#size
  }

  /** Sessions that were prepared are prepared once more, when they are next handed out. */
  prepareAnew(): void {
    this.#prepared = new WeakSet()
  }

  connect(): Promise<PgConnection> {
    if (!connectionChannel.hasSubscribers) return this.#connect()
    return connectionChannel.tracePromise(this.#connect, { pool: this.#figures }, this)
  }

  async #connect(): Promise<PgConnection> {
    this.#figures.pending += 1
    try {
      return await this.#connected()
    } finally {
      this.#figures.pending -= 1
    }
  }

  async #connected(): Promise<PgConnection> {
    const pool = await this.#open()
    this.#pool = pool
    this.#size = pool.options?.max ?? USUAL_SIZE
    const client = await pool.connect()
    hearClient(client)
    const connection = new PgConnection(client, this.#dialect, this.#ways, this.#figures)
    if (['T', 'E'].includes(client.getTransactionStatus?.() ?? '')) {
      connection.destroy()
      throw leftOpen()
    }
    if (this.#prepared.has(client)) return connection
    this.#hear(client)
    let done: boolean
    try {
      done = await this.#prepare(connection)
    } catch (error) {
      connection.destroy()
      throw error
    }
    if (done) this.#prepared.add(client)
    return connection
  }

  /** A session that a host changes later is prepared again. */
  #hear(client: PgClient): void {
    if (this.#heard.has(client)) return
    this.#heard.add(client)
    client.connection?.on?.('parameterStatus', ({ parameterName = '' }) => {
      if (MEANING.has(parameterName)) this.#prepared.delete(client)
    })
  }
}

/** A client of pg from when it is handed out until it is given back. */
export class PgConnection implements PooledConnection {
  readonly #client: PgClient
  readonly #dialect: Dialect
  readonly #ways: Ways
  readonly #figures: CountedPool
  #broken = false
  #over = false
  #interrupting: Promise<boolean> | undefined
  /** Has the server give up the statement under way; left out where its session has a lock timeout of its own. */
  readonly interrupt?: () => void

  constructor(client: PgClient, dialect: Dialect, ways: Ways, figures: CountedPool) {
    this.#client = client
    this.#figures = figures
    figures.used += 1
    this.#dialect = dialect
    this.#ways = ways
    if (!ways.mayInterrupt?.()) return
    this.interrupt = () => {
      if (!this.#over) this.#interrupting ??= cancelRequest(client)
    }
  }

  readonly execute: Execute = async <Row>(query: CompiledQuery<Row>) => {
    const { rows, rowCount } = await this.query(
      query.sql,
      query.parameters as unknown[],
      wantsArrays(query) ? AS_ARRAYS : undefined,
    )
    return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
  }

  async query(text: string, values: unknown[], form?: RowForm): Promise<PostgresQueryResult<unknown>> {
    try {
      const name = this.#ways.isNamed?.() === false ? undefined : statementName(text)
      const arrays = form && arrayQuery(this.#client, name, text, values)
      // What may have any number of forms has a name only where it is counted how many are kept.
      return await send(this.#client, arrays ?? { name: form ? undefined : name, text, values, ...form })
    } catch (error) {
      const isOver = this.#ways.isOver?.(error) || isOutOfDate(error)
      if (!this.#dialect.isAnswer(error) || isOver) this.#broken = true
      if (this.#interrupting && errorCode(error) === '57014') throw waitedInVain(error)
      throw error
    }
  }

  async begin({ lockWait }: LockLimits): Promise<void> {
    const { idleSeconds, distributed } = this.#ways
    const idle = idleSeconds === undefined ? undefined : idleSeconds * 1000
    const settings = [
      ...(distributed?.() ? [PASS_ON] : []),
      ...localSetting('lock_timeout', lockWait),
      ...localSetting('idle_in_transaction_session_timeout', idle),
    ]
    await this.query(['begin isolation level read committed', ...settings].join('; '), [])
  }

  async commit(): Promise<boolean> {
    const { command } = await this.query('commit', [])
    return `${command}` !== 'ROLLBACK'
  }

  async rollback(): Promise<void> {
    if (!this.#broken) await this.query('rollback', [])
  }

  release(): void {
    this.#leave(this.#broken)
  }

  destroy(): void {
    this.#leave(true)
  }

  #leave(ended: boolean): void {
    if (this.#over) return
    this.#over = true
    this.#figures.used -= 1
    // Lest the request meet the statement of whoever comes next.
    if (this.#interrupting && !ended) void this.#interrupting.then(sure => this.#client.release(!sure))
    else this.#client.release(ended)
  }
}

/** Citus tells the nodes of a transaction what is set for it from then on. */
const PASS_ON = `set local citus.propagate_set_commands = 'local'`

function localSetting(name: string, milliseconds: number | undefined): string[] {
  return milliseconds === undefined ? [] : [`set local ${name} = ${Math.ceil(milliseconds)}`]
}

/** What the server would have said by itself, had it been told how long to wait for a lock. */
function waitedInVain(cause: unknown): Error {
  return Object.assign(new Error('canceling statement due to lock timeout', { cause }), {
    code: '55P03',
    severity: 'ERROR',
  })
}
