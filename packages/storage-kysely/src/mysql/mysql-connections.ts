import type { CompiledQuery } from 'kysely'
import type { Execute } from '../connections/connections.ts'
import type { ConnectionPool, PooledConnection } from '../connections/pooled-connections.ts'
import type { Dialect } from '../dialects/index.ts'
import { clientOf, cut, type MysqlClient, type MysqlPool } from './mysql-pool.ts'
import { PreparedStatements } from './prepared-statements.ts'

/** What mysql2 makes when nobody says how many. */
const USUAL_SIZE = 10

/** Makes a new connection's session what Tillkit needs, or refuses it. */
export type Prepare = (session: MysqlSession) => Promise<unknown>

/** Connections of a pool of mysql2. Queries go straight to it, their values apart from their text. */
export class MysqlConnections implements ConnectionPool {
  readonly #open: () => Promise<MysqlPool>
  readonly #dialect: Dialect
  readonly #prepare: Prepare
  readonly #prepared = new WeakMap<MysqlClient, PreparedStatements>()
  #size = USUAL_SIZE

  constructor(open: () => Promise<MysqlPool>, dialect: Dialect, prepare: Prepare) {
    this.#open = open
    this.#dialect = dialect
    this.#prepare = prepare
  }

  size(): number {
    return this.#size
  }

  async connect(): Promise<MysqlSession> {
    const pool = await this.#open()
    this.#size = pool.config?.connectionLimit || USUAL_SIZE
    const client = await clientOf(pool)
    const known = this.#prepared.get(client)
    if (known) return new MysqlSession(client, known, this.#dialect)
    // The query that a lost connection cuts off says so; said again as an event, unheard, it would end the process.
    client.on?.('error', () => {})
    const statements = new PreparedStatements(client)
    const session = new MysqlSession(client, statements, this.#dialect)
    try {
      await this.#prepare(session)
    } catch (error) {
      session.destroy()
      throw error
    }
    // A session that the pool resets is a new one each time.
    if (!pool.config?.resetOnRelease) this.#prepared.set(client, statements)
    return session
  }
}

/** A connection of mysql2 from when it is handed out until it is given back. */
export class MysqlSession implements PooledConnection {
  readonly #client: MysqlClient
  readonly #statements: PreparedStatements
  readonly #dialect: Dialect
  #broken = false
  #over = false

  constructor(client: MysqlClient, statements: PreparedStatements, dialect: Dialect) {
    this.#client = client
    this.#statements = statements
    this.#dialect = dialect
  }

  readonly execute: Execute = async <Row>({ sql, parameters }: CompiledQuery<Row>) => {
    const result = await this.query(sql, parameters)
    if (Array.isArray(result)) return { rows: result as Row[] }
    return { rows: [], numAffectedRows: BigInt((result as { affectedRows?: number }).affectedRows ?? 0) }
  }

  async query(sql: string, values: readonly unknown[] = []): Promise<unknown> {
    try {
      return await this.#statements.send(sql, values)
    } catch (error) {
      if (!this.#dialect.isAnswer(error)) this.#broken = true
      throw error
    }
  }

  async begin(): Promise<void> {
    const { isolation } = this.#dialect
    if (isolation) await this.query(`set transaction isolation level ${isolation}`)
    await this.query('begin')
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
    how()
  }
}
