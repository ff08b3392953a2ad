import type { CompiledQuery, PostgresQueryResult } from 'kysely'
import type { Execute, LockLimits } from '../connections/connections.ts'
import type { ConnectionPool, PooledConnection } from '../connections/pooled-connections.ts'
import { errorCode } from '../dialects/error-code.ts'
import type { Dialect } from '../dialects/index.ts'
import { statementName } from '../session/statement-name.ts'
import { cancelRequest } from './cancel-request.ts'
import { hearClient, type PgClient, type PgPool } from './pg-pool.ts'

/** What pg makes when nobody says how many. */
const USUAL_SIZE = 10

/** Makes a new connection's session what Tillkit needs, or refuses it. */
export type Prepare = (connection: PgConnection) => Promise<void>

/**
 * Connections of a pool of pg. Queries go straight to it: by way of kysely a short one costs half as much again. They are
 * named prepared statements, which a connection parses and plans once.
 */
export class PgConnections implements ConnectionPool {
  readonly #open: () => Promise<PgPool>
  readonly #dialect: Dialect
  readonly #prepare: Prepare
  readonly #mayInterrupt: boolean
  readonly #prepared = new WeakSet<PgClient>()
  #size = USUAL_SIZE

  /** @param mayInterrupt - whether a wait for a lock has to be ended from here, the session being the host's. */
  constructor(open: () => Promise<PgPool>, dialect: Dialect, prepare: Prepare, mayInterrupt = false) {
    this.#open = open
    this.#dialect = dialect
    this.#prepare = prepare
    this.#mayInterrupt = mayInterrupt
  }

  size(): number {
    return this.#size
  }

  async connect(): Promise<PgConnection> {
    const pool = await this.#open()
    this.#size = pool.options?.max ?? USUAL_SIZE
    const client = await pool.connect()
    hearClient(client)
    const connection = new PgConnection(client, this.#dialect, this.#mayInterrupt)
    if (this.#prepared.has(client)) return connection
    try {
      await this.#prepare(connection)
    } catch (error) {
      connection.release()
      throw error
    }
    this.#prepared.add(client)
    return connection
  }
}

/** A client of pg from when it is handed out until it is given back. */
export class PgConnection implements PooledConnection {
  readonly #client: PgClient
  readonly #dialect: Dialect
  #broken = false
  #over = false
  #interrupting: Promise<boolean> | undefined
  /** Has the server give up the statement under way; left out where its session has a lock timeout of its own. */
  readonly interrupt?: () => void

  constructor(client: PgClient, dialect: Dialect, mayInterrupt: boolean) {
    this.#client = client
    this.#dialect = dialect
    if (!mayInterrupt) return
    this.interrupt = () => {
      if (!this.#over) this.#interrupting ??= cancelRequest(client)
    }
  }

  readonly execute: Execute = async <Row>({ sql, parameters }: CompiledQuery<Row>) => {
    const { rows, rowCount } = await this.query(sql, parameters as unknown[])
    return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
  }

  async query(text: string, values: unknown[]): Promise<PostgresQueryResult<unknown>> {
    try {
      return await this.#client.query({ name: statementName(text), text, values })
    } catch (error) {
      if (!this.#dialect.isAnswer(error)) this.#broken = true
      if (this.#interrupting && errorCode(error) === '57014') throw waitedInVain(error)
      throw error
    }
  }

  async begin({ lockWait }: LockLimits): Promise<void> {
    const wait = lockWait === undefined ? '' : `; set local lock_timeout = ${Math.ceil(lockWait)}`
    await this.query(`begin isolation level read committed${wait}`, [])
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
    // Lest the request meet the statement of whoever comes next.
    if (this.#interrupting && !ended) void this.#interrupting.then(sure => this.#client.release(!sure))
    else this.#client.release(ended)
  }
}

/** What the server would have said by itself, had it been told how long to wait for a lock. */
function waitedInVain(cause: unknown): Error {
  return Object.assign(new Error('canceling statement due to lock timeout', { cause }), {
    code: '55P03',
    severity: 'ERROR',
  })
}
