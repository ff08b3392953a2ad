import type { PostgresQueryResult } from 'kysely'
import { MOST_ASKING } from '../../connections/pools/pool-line.ts'
import type { ArrayQuery } from '../wire/array-query.ts'
import type { RowForm } from '../wire/row-form.ts'

/** The part of pg's `Pool` that is used. */
export interface PgPool {
  /** Hands out a connection. */
  connect(): Promise<PgClient>
  /** Ends all connections. */
  end(): Promise<void>
  /** How many connections lie idle. */
  idleCount?: number
  /** How many connections there are. */
  totalCount?: number
  /** The options that it was made with. */
  options?: {
    /** How many connections it has at most. */
    max?: number
    /** How long one may wait for a connection; zero, and left out, without end. */
    connectionTimeoutMillis?: number
  }
  /** Tells of connections, and of those that end. */
  on?(event: 'error', listener: () => void): unknown
  on?(event: 'connect' | 'acquire', listener: (client: PgClient) => void): unknown
}

/** How many may ask it at once: as many as it may have connections, unless it lets nobody wait without end itself. */
export function mostAsking({ options }: PgPool): number {
  return options?.connectionTimeoutMillis ? Number.POSITIVE_INFINITY : (options?.max ?? MOST_ASKING)
}

/** A statement as pg takes it. */
interface PgQuery {
  /** Prepared under this name in the session; prepared for itself when left out. */
  name?: string | undefined
  /** With `$1`, `$2` … for each value. */
  text: string
  /** What stands for them. */
  values: unknown[]
  /** How rows are read; as objects where it is left out. */
  rowMode?: RowForm['rowMode']
  /** What reads their values; what the host has told pg where it is left out. */
  types?: RowForm['types']
}

/** Hears how a statement ended. */
type Answered = (error: Error | null | undefined, result: PgAnswer) => void

type PgAnswer = PostgresQueryResult<unknown>

/** The part of pg's `Connection` that is used. */
interface ServerVoice {
  /** Tells of a setting that has changed, of a statement that is done, and of an answer that is complete. */
  on?(event: 'parameterStatus', listener: (told: ChangedSetting) => void): unknown
  on?(event: 'commandComplete', listener: (told: Done) => void): unknown
  on?(event: 'readyForQuery', listener: (told: Ready) => void): unknown
  /** The text of each statement that it takes for prepared, by its name. */
  readonly parsedStatements?: Record<string, string>
}

/** What a server says of a statement that is done. */
interface Done {
  /** The statement's kind, and of how many rows. */
  text?: string
}

/** What a server says when it waits for the next statement. */
interface Ready {
  /** `I` outside of a transaction, `T` within one, `E` within one that failed. */
  status?: string
}

/** What a server says of it. */
interface ChangedSetting {
  /** Its name. */
  parameterName?: string
}

/** What a server warns of. */
export interface Notice {
  /** The function of the server that warns. */
  routine?: string | undefined
}

/** The part of pg's `PoolClient` that is used. */
export interface PgClient {
  /** Sends a statement; what takes no callback returns a promise. */
  query(query: PgQuery, answered: Answered): Promise<PgAnswer> | undefined
  /** Gives the connection back to its pool, or ends it. */
  release(destroy?: boolean): void
  /** Tells of a connection that ends, and of warnings. */
  on?(event: 'error', listener: (error: Error) => void): unknown
  on?(event: 'notice', listener: (notice: Notice) => void): unknown
  /** `I` outside of a transaction, `T` within one, `E` within one that failed; from pg 8.17 on. */
  getTransactionStatus?(): string | null
  /** The session as the server, or who stands before it, named it at the connection. */
  readonly processID?: number | null
  /** What the server says besides answers. */
  readonly connection?: ServerVoice
  /** True where it sends queries without waiting for the answers of those before, and takes none of one's own. */
  readonly pipeline?: boolean
  /** True where it asks for values in bytes, and not as text. */
  readonly binary?: boolean
}

const pools = new WeakSet<PgPool>()
const clients = new WeakSet<PgClient>()

/**
 * Hears what pg says of connections that end, to nobody in particular and besides the query that it cuts off: unheard, it
 * would end the process. pg tells of a connection before it hands it out, so that there is no moment without a listener.
 */
export function hear(pool: PgPool): void {
  if (pools.has(pool)) return
  pools.add(pool)
  pool.on?.('error', () => {})
  pool.on?.('connect', hearClient)
  // One that was there before.
  pool.on?.('acquire', hearClient)
}

export function hearClient(client: PgClient): void {
  if (clients.has(client)) return
  clients.add(client)
  client.on?.('error', () => {})
}

/**
 * Sends a statement and waits for its answer. By a callback: the promise of pg's hangs on a function that V8 puts among the
 * old, as it does any that is written as the value of a property, and what it leads to, the rows too, would outlive every
 * collection of the young.
 */
export function send(client: PgClient, query: PgQuery | ArrayQuery): Promise<PgAnswer> {
  return new Promise((resolve, reject) => {
    // One of one's own is what is returned, and no promise.
    const answer = client.query(query as PgQuery, (error, result) =>
      error ? reject(error) : resolve(result),
    )
    if (answer && 'then' in answer) answer.then(resolve, reject)
  })
}
