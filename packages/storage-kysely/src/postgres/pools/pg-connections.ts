import { connectionChannel } from '@tillkit/storage/channels'
import type { CompiledQuery, PostgresQueryResult } from 'kysely'
import { CommitUnsynced } from '../../connections/commit-unknown.ts'
import type { Answer, Execute, LockLimits } from '../../connections/connections.ts'
import { leftOpen } from '../../connections/left-open.ts'
import { awaitSeconds, type Deadline } from '../../connections/limits/deadline.ts'
import { longestOf, type TimeLimits } from '../../connections/limits/time-limits.ts'
import { CountedPool, type PoolName } from '../../connections/pools/pool-figures.ts'
import { PoolLine } from '../../connections/pools/pool-line.ts'
import type { ConnectionPool, PooledConnection } from '../../connections/pools/pooled-connections.ts'
import { errorCode } from '../../dialects/error-code.ts'
import type { Dialect } from '../../dialects/index.ts'
import { hasOtherStatements, isOutOfDate } from '../../dialects/postgres-errors.ts'
import { wantsArrays } from '../../session/statements/array-rows.ts'
import { type KeptPlans, keptPlans } from '../../session/statements/kept-plan.ts'
import { statementName } from '../../session/statements/statement-name.ts'
import { changesOf, hearSession, statusBefore, statusOf } from '../sessions/heard-session.ts'
import { limitOf, localSetting, PASS_ON } from '../sessions/local-settings.ts'
import { keepingPlan } from '../sessions/session-settings.ts'
import { hearUnsynced, wasUnsynced } from '../sessions/unsynced.ts'
import { type Around, type ArrayQuery, arrayQuery } from '../wire/array-query.ts'
import { AS_ARRAYS, AS_OBJECTS, type RowForm } from '../wire/row-form.ts'
import { hearClient, mostAsking, type PgClient, type PgPool, send } from './pg-pool.ts'

/** What pg makes when nobody says how many. */
const USUAL_SIZE = 10

/** Makes a new connection's session what Tillkit needs, or refuses it. Resolves to false where that is to be done again. */
export type Prepare = (connection: PgConnection) => Promise<boolean>

/** Whoever left a transaction open that failed heard so before pg heard that it was still open. */
const IN_FAILED_TRANSACTION = '25P02'

/** How a pool's connections are used. */
interface Ways {
  /** Which of the process' pools it is. */
  pool?: PoolName | undefined
  /** Whether a session is to keep prepared statements by their names; so it is where that is left out. */
  isNamed?: () => boolean
  /** How many prepared statements a session is to keep; as many as are usual where that is left out. */
  statements?: number | undefined
  /** Whether a session is told once how long to wait for a lock, and not each statement; so it is where that is left out. */
  isTold?: () => boolean
  /** Whether rows are locked at other nodes, which a setting of this session does not hold for by itself. */
  distributed?: () => boolean
  /** How long a transaction may lie idle, where it has to be told so itself. */
  idleSeconds?: () => number | undefined
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
  readonly #toPrepare: number
  /** How often a session that is prepared had been changed by then. */
  #prepared = new WeakMap<PgClient, number>()
  readonly #figures: CountedPool
  readonly #line = new PoolLine(USUAL_SIZE)
  #size = USUAL_SIZE
  #pool: PgPool | undefined

  constructor(
    open: () => Promise<PgPool>,
    dialect: Dialect,
    prepare: Prepare,
    limits: Required<TimeLimits>,
    ways: Ways = {},
  ) {
    this.#open = open
    this.#dialect = dialect
    this.#prepare = prepare
    this.#ways = ways
    this.#toPrepare = longestOf(limits)
    const idle = () => this.#pool?.idleCount
    const pending = () => this.#line.length
    this.#figures = new CountedPool(ways.pool ?? 'tillkit', 'postgres', {
      max: () => this.#size,
      pending,
      idle,
    })
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
    this.#prepared = new WeakMap()
  }

  connect(deadline: Deadline): Promise<PgConnection> {
    if (!connectionChannel.hasSubscribers) return this.#connect(deadline)
    return connectionChannel.tracePromise(this.#connect, { pool: this.#figures }, this, deadline)
  }

  #connect(deadline: Deadline): Promise<PgConnection> {
    return this.#line.connect(deadline, this.#open(), pool => this.#connected(pool))
  }

  async #connected(pool: PgPool): Promise<PgConnection> {
    this.#pool = pool
    this.#size = pool.options?.max ?? USUAL_SIZE
    this.#line.most = mostAsking(pool)
    const client = await pool.connect()
    hearClient(client)
    hearUnsynced(client)
    hearSession(client)
    const connection = new PgConnection(client, this.#dialect, this.#ways, this.#figures)
    if (['T', 'E'].includes(statusOf(client) ?? '')) {
      connection.destroy()
      throw leftOpen()
    }
    if (this.#prepared.get(client) === changesOf(client)) return connection
    let done: boolean
    try {
      done = await awaitSeconds(this.#toPrepare, this.#prepare(connection))
    } catch (error) {
      connection.destroy()
      throw error
    }
    if (done) this.#prepared.set(client, changesOf(client))
    return connection
  }
}

/** A client of pg from when it is handed out until it is given back. */
export class PgConnection implements PooledConnection {
  readonly #client: PgClient
  readonly #dialect: Dialect
  readonly #ways: Ways
  readonly #figures: CountedPool
  #broken = false
  #begun = false
  #over = false

  constructor(client: PgClient, dialect: Dialect, ways: Ways, figures: CountedPool) {
    this.#client = client
    this.#figures = figures
    figures.used += 1
    this.#dialect = dialect
    this.#ways = ways
  }

  /** The session that the server told this client of. */
  get processId(): number | undefined {
    return this.#client.processID ?? undefined
  }

  readonly execute: Execute = async <Row>(query: CompiledQuery<Row>) => {
    const kept = keptPlans(query)
    const keeping = kept && this.#ofPlans(kept)
    if (keeping) return resultOf<Row>(await this.#send(keeping))
    const form = wantsArrays(query) ? AS_ARRAYS : undefined
    return resultOf<Row>(await this.query(query.sql, query.parameters as unknown[], form))
  }

  #ofPlans({ plans, byKeys, lockWait }: KeptPlans): ArrayQuery | undefined {
    const { before, after } = keepingPlan(byKeys)
    const limits = lockWait === undefined ? [] : [limitOf(lockWait)]
    const around = { before: [...limits, ...before], after }
    return arrayQuery(this.#client, plans, { around, most: this.#ways.statements })
  }

  get executeWithin(): PooledConnection['executeWithin'] {
    if (this.#ways.isTold?.() !== false) return undefined
    return (lockWait, query) => this.#executeWithin(lockWait, query)
  }

  #executeWithin<Row>(lockWait: number, query: CompiledQuery<Row>): Answer<Row> | undefined {
    if (!wantsArrays(query)) return undefined
    const name = this.#nameOf(query.sql)
    // Citus tells other nodes what is set within a transaction that was begun, and nothing else.
    const distributed = this.#ways.distributed?.()
    const around = distributed
      ? { before: this.#beginning({ lockWait }), after: ['commit'] }
      : { before: [limitOf(lockWait)], after: [] }
    const values = query.parameters as unknown[]
    const limited = this.#arrayQuery(name, query.sql, values, around)
    if (!limited) return undefined
    const sent = this.#send(limited).then(resultOf<Row>)
    return distributed ? sent.catch(error => this.#undone(error)) : sent
  }

  async #undone(error: unknown): Promise<never> {
    await this.rollback().catch(() => this.destroy())
    throw error
  }

  query(text: string, values: unknown[], form?: RowForm): Promise<PostgresQueryResult<unknown>> {
    const name = this.#nameOf(text)
    const arrays = form && name !== undefined ? this.#arrayQuery(name, text, values) : undefined
    // What may have any number of forms has a name only where it is counted how many are kept.
    return this.#send(arrays ?? { name: form ? undefined : name, text, values, ...(form ?? this.#objects) })
  }

  /** What comes in bytes is read by the pool's own parsers. */
  get #objects(): RowForm | undefined {
    return this.#client.binary ? undefined : AS_OBJECTS
  }

  #arrayQuery(name: string | undefined, text: string, values: unknown[], around?: Around) {
    return arrayQuery(this.#client, [{ name, text, values }], { around, most: this.#ways.statements })
  }

  /** Undefined for a statement that the session is not to keep. */
  #nameOf(text: string): string | undefined {
    return this.#ways.isNamed?.() === false ? undefined : statementName(text)
  }

  async #send(query: Parameters<typeof send>[1]): Promise<PostgresQueryResult<unknown>> {
    let answer: PostgresQueryResult<unknown>
    try {
      answer = await send(this.#client, query)
    } catch (error) {
      const isLeftOpen = errorCode(error) === IN_FAILED_TRANSACTION
      const isUseless = isLeftOpen || isOutOfDate(error) || hasOtherStatements(error)
      if (isUseless || this.#dialect.isForAnotherSession?.(error) || !this.#dialect.isAnswer(error))
        this.#broken = true
      if (isLeftOpen) throw leftOpen(error)
      throw wasUnsynced(this.#client) ? new CommitUnsynced(error) : error
    }
    if (!this.#begun && statusOf(this.#client) === 'T') this.#refuse()
    if (wasUnsynced(this.#client)) throw new CommitUnsynced()
    return answer
  }

  /** Throws, with the connection and what it wrote undone, where somebody has left a transaction open, whose begin may have been on its way. */
  #refuse(): never {
    this.destroy()
    throw leftOpen()
  }

  async begin(limits: LockLimits): Promise<void> {
    await this.beginWith(this.#beginning(limits))
  }

  /** Begins a transaction by one message. A begin within another one does nothing, and is answered alike. */
  async beginWith(statements: string[]): Promise<PostgresQueryResult<unknown>> {
    this.#begun = true
    const answer = await this.query(statements.join('; '), [])
    if (statusBefore(this.#client) === 'T') this.#refuse()
    return answer
  }

  #beginning({ lockWait }: LockLimits): string[] {
    return [
      'begin isolation level read committed',
      ...(this.#ways.distributed?.() ? [PASS_ON] : []),
      ...localSetting('lock_timeout', lockWait),
      ...this.idleLimit,
    ]
  }

  /** What a transaction begins with where its session has not been told how long one may lie idle. */
  get idleLimit(): string[] {
    const seconds = this.#ways.idleSeconds?.()
    return localSetting('idle_in_transaction_session_timeout', seconds && seconds * 1000)
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
    this.#client.release(ended)
  }
}

function resultOf<Row>({ rows, rowCount }: PostgresQueryResult<unknown>) {
  return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
}
