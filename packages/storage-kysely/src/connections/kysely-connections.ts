import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialects/index.ts'
import type { Tables } from '../schema/tables.ts'
import { executeOn } from '../session/statements/array-rows.ts'
import type { CheckOnce } from './check-once.ts'
import { ofCommit } from './commit-unknown.ts'
import type { Connections } from './connections.ts'
import { type Deadline, OutOfTime } from './limits/deadline.ts'
import { MOST_ASKING, PoolLine } from './pools/pool-line.ts'
import { transactionOf } from './transaction-of.ts'
import { ReadTurns } from './turns/read-turns.ts'

/** What the drivers' pools are made with; a Kysely instance does not tell. */
const SIZE = 10

/**
 * The connections of a host's Kysely, by its own driver. A call is answered by its deadline; nothing more is sent for it
 * then, and its connection goes back when the driver is done with it, as does a long read's turn.
 */
export function kyselyConnections(
  db: Kysely<Tables>,
  dialect: Dialect,
  check: CheckOnce = () => undefined,
): Connections {
  const line = new PoolLine(MOST_ASKING)
  const readTurns = dialect.oneWriter ? undefined : new ReadTurns(() => SIZE)
  let used = 0
  /** What a call of the driver comes to by the deadline. A long read that is given up then keeps its turn until that call has ended. */
  const byDeadline = <Result>(
    deadline: Deadline,
    call: Promise<Result>,
    { answered, giveUp }: Record<'answered' | 'giveUp', () => void>,
  ): Promise<Result> => {
    used += 1
    const use = call.finally(() => {
      used -= 1
      answered()
    })
    return deadline.within(use, giveUp).catch(error => {
      if (error instanceof OutOfTime) readTurns?.outlast(error, use)
      throw error
    })
  }
  return {
    size: () => SIZE,
    isFree: () => Math.max(used, line.length) < SIZE,
    readTurns,
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
      const giveUp = () => {
        over = true
      }
      return byDeadline(deadline, held, { answered, giveUp })
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
      const giveUp = () => {
        over = true
      }
      try {
        return await byDeadline(deadline, transaction, { answered, giveUp })
      } catch (error) {
        throw committing ? ofCommit(error, dialect) : error
      }
    },
  }
}
