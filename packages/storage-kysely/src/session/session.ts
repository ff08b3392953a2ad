import type { CompiledQuery } from 'kysely'
import { told } from '../channels/publish-statement.ts'
import type { Connections, Execute } from '../connections/connections.ts'
import { withinSeconds } from '../connections/limits/deadline.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { runAgain } from './transactions/run-again.ts'

/** Runs queries: on any connection, or on the one of a transaction. */
export interface Session {
  all<Row>(query: CompiledQuery<Row>): Promise<Row[]>
  first<Row>(query: CompiledQuery<Row>): Promise<Row | undefined>
  /** How many rows the query changed. */
  change(query: CompiledQuery<unknown>): Promise<number>
}

export function sessionOf(execute: Execute, { name, bind = query => query }: Dialect): Session {
  return {
    all: query => told(execute, name, bind(query), ({ rows }) => rows),
    first: query => told(execute, name, bind(query), ({ rows }) => rows[0]),
    change: query => told(execute, name, bind(query), ({ numAffectedRows = 0n }) => Number(numAffectedRows)),
  }
}

/** What runs queries that only read, each by itself. */
export interface Reads extends Session {
  /**
   * The same for the read that a call begins with: it may wait for those that other calls begin with. What else the call reads goes on from
   * there at once, so that this process writes nothing in between. Left out where none waits.
   */
  opening?: Session
  /**
   * The same of nothing but what is committed. Left out where every session reads so: one of a host's pool of MySQL's may see what is
   * undone then.
   */
  committed?: Session
  /** How several share a connection that they wait for; left out where none waits for one. */
  shared?: SharedReads
}

export interface SharedReads {
  /** Whether a read would have to wait for a connection now. */
  isBusy(): boolean
  /** Runs queries over one connection, as one that has waited since then, by `performance.now()`; again, perhaps. */
  run<Result>(ask: (session: Session) => Promise<Result>, since?: number): Promise<Result>
}

/**
 * The same for queries that only read: they may always be run again, until so many seconds are over, of which `spent` were
 * before. The server takes no longer for one of them, where it has to be told.
 */
export function readsOf(connections: Connections, dialect: Dialect, seconds: number, spent = 0): Reads {
  const { readLimit } = dialect
  const limited = (execute: Execute): Execute =>
    readLimit ? query => execute(readLimit.limited(query, seconds)) : execute
  const readBy =
    (hold: Connections['hold']): SharedReads['run'] =>
    (ask, since = performance.now()) =>
      withinSeconds(
        seconds,
        deadline => {
          const attempt = () =>
            hold(deadline, execute => ask(sessionOf(limited(execute), dialect))).catch(error => {
              throw readLimit?.isMet(error) ? deadline.error() : error
            })
          return runAgain(dialect, true, attempt, { deadline })
        },
        { since: since - spent * 1000 },
      )
  const { holdTogether } = connections
  const read = readBy((deadline, work) => connections.hold(deadline, work))
  return {
    ...eachBy(read),
    shared: { isBusy: () => !connections.isFree(), run: read },
    ...(dialect.name === 'mysql' && { committed: eachBy(readBy(committedBy(connections))) }),
    ...(holdTogether && { opening: eachBy(readBy(holdTogether)) }),
  }
}

/** In a transaction at READ COMMITTED: what it has read is so, whatever becomes of its commit. */
const committedBy =
  ({ transact }: Connections): Connections['hold'] =>
  async (deadline, work) => {
    let read: { result: Awaited<ReturnType<typeof work>> } | undefined
    try {
      return await transact(deadline, async execute => {
        const result = await work(execute)
        read = { result }
        return result
      })
    } catch (error) {
      if (read) return read.result
      throw error
    }
  }

/** Queries that are each run by `read`. */
export const eachBy = (read: SharedReads['run']): Session => ({
  all: query => read(session => session.all(query)),
  first: query => read(session => session.first(query)),
  change: query => read(session => session.change(query)),
})
