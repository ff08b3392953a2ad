import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialects/index.ts'
import type { Tables } from '../schema/tables.ts'
import { executeOn } from '../session/statements/array-rows.ts'
import type { CheckOnce } from './check-once.ts'
import { ofCommit } from './commit-unknown.ts'
import type { Connections } from './connections.ts'
import { MOST_ASKING, PoolLine } from './pools/pool-line.ts'
import { transactionOf } from './transaction-of.ts'
import { ReadTurns } from './turns/read-turns.ts'

/** What the drivers' pools are made with; a Kysely instance does not tell. */
const SIZE = 10

/**
 * The connections of a host's Kysely, by its own driver. A call is answered by its deadline; nothing more is sent for it
 * then, and its connection goes back when the driver is done with it.
 */
export function kyselyConnections(
  db: Kysely<Tables>,
  dialect: Dialect,
  check: CheckOnce = () => undefined,
): Connections {
  const line = new PoolLine(MOST_ASKING)
  let used = 0
  const counted = <Result>(call: Promise<Result>, answered: () => void): Promise<Result> => {
    used += 1
    return call.finally(() => {
      used -= 1
      answered()
    })
  }
  return {
    size: () => SIZE,
    isFree: () => Math.max(used, line.length) < SIZE,
    readTurns: dialect.oneWriter ? undefined : new ReadTurns(() => SIZE),
    tellsNoStatement: dialect.name === 'postgres' && !dialect.distributed,

    async hold(deadline, work) {
      let over = false
      const answered = await line.turn(deadline)
      const held = db.getExecutor().provideConnection(async connection => {
        answered()
        await check(connection)
        if (over) throw deadline.error()
        return work(executeOn(connection))
      })
      return deadline.within(counted(held, answered), () => {
        over = true
      })
    },

    async transact(deadline, work, { lockWait } = {}) {
      let committing = false
      let over = false
      const answered = await line.turn(deadline)
      const transaction = transactionOf(db, dialect, async trx => {
        answered()
        // Asked for its connection once, and not for each statement; who asks for it again in here would wait for ever.
        return trx.getExecutor().provideConnection(async connection => {
          const goOn = () => {
            if (over) throw deadline.error()
          }
          await check(connection)
          goOn()
          const execute = executeOn(connection)
          if (lockWait !== undefined && dialect.name === 'postgres') {
            await execute(sql`set local lock_timeout = ${sql.lit(Math.ceil(lockWait))}`.compile(trx))
          }
          const result = await work(async query => {
            goOn()
            return execute(query)
          })
          goOn()
          committing = true
          return result
        })
      })
      try {
        return await deadline.within(counted(transaction, answered), () => {
          over = true
        })
      } catch (error) {
        throw committing ? ofCommit(error, dialect) : error
      }
    },
  }
}
