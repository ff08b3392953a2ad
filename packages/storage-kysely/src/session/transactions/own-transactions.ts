import { DatabaseError } from '@tillkit/storage'
import { ofCommit } from '../../connections/commit-unknown.ts'
import type { Connections } from '../../connections/connections.ts'
import { type Deadline, withinSeconds } from '../../connections/limits/deadline.ts'
import { lockWaitOf, type TimeLimits } from '../../connections/limits/time-limits.ts'
import { TurnTooLate } from '../../connections/turns/merchant-line.ts'
import { MerchantTurns } from '../../connections/turns/merchant-turns.ts'
import type { Dialect } from '../../dialects/index.ts'
import type { Database } from '../database.ts'
import { type Session, sessionOf } from '../session.ts'
import { runAgain } from './run-again.ts'

type Work<Result> = (session: Session) => Promise<Result>

/**
 * Each write is a transaction of its own, at its merchant's turn; one of a single statement needs neither begin nor commit
 * around it.
 */
export function ownTransactions(
  connections: Connections,
  dialect: Dialect,
  limits: Required<TimeLimits>,
): Pick<Database, 'write' | 'writesWait' | 'statementLimit'> {
  const turns = new MerchantTurns(() => connections.size())
  const usualLockWait = lockWaitOf(limits)
  const { tellsNoStatement = false } = connections
  const besideAnother = (error: unknown) =>
    dialect.isDuplicate(error) && dialect.isBesideAnother?.(error) === true

  const write: Database['write'] = async (work, options = {}) => {
    const {
      statement = false,
      repeatable = false,
      doubt,
      merchantId,
      locks = 'merchant',
      looksFirst,
      skipsLocked,
      saysLimit,
    } = options
    const lockWait = Math.min(options.lockWait ?? usualLockWait, usualLockWait)
    // On Citus a statement that is told so is a transaction, and one of no merchant would be one of several nodes.
    const untold = merchantId === undefined && (skipsLocked || dialect.distributed)
    const statementWait = untold ? undefined : lockWait
    const byItself = statement && (!tellsNoStatement || skipsLocked || saysLimit)
    const line = turns.enter(merchantId, locks)
    const since = options.since ?? performance.now()
    const overtaken = looksFirst ? besideAnother : undefined
    const lockUntil = since + limits.lockTimeoutSeconds * 1000
    let tries = 0
    try {
      const writing = (deadline: Deadline) => {
        const write = () =>
          // A statement by itself cannot tell everywhere how long it waits for a lock; a transaction can.
          byItself && !line.stuck
            ? asStatement(connections, dialect, deadline, statementWait, work)
            : connections.transact(deadline, execute => work(sessionOf(execute, dialect)), { lockWait })
        const attempt = () => {
          const patience = Math.min(lockUntil - performance.now(), deadline.left)
          return line.turn(write, patience, tries++ > 0, error => dialect.isLockWait(error))
        }
        const again = options.lockWait === undefined ? lockUntil : 0
        return runAgain(dialect, repeatable, attempt, { deadline, lockUntil: again, overtaken, doubt })
      }
      return await withinSeconds(limits.writeTimeoutSeconds, writing, { whose: merchantId, since })
    } catch (error) {
      if (!(error instanceof TurnTooLate || dialect.isLockWait(error))) throw error
      throw new DatabaseError(waitedFor(merchantId, limits.lockTimeoutSeconds), { cause: error })
    } finally {
      line.leave()
    }
  }
  return {
    write,
    writesWait: () => turns.areTaken() || !connections.isFree(),
    ...(tellsNoStatement && { statementLimit: usualLockWait }),
  }
}

function waitedFor(merchantId: string | undefined, seconds: number): string {
  const what = merchantId === undefined ? 'a lock' : `the lock of merchant ${merchantId}`
  return `${what} was not to be had for ${seconds} seconds: another session holds it, or too many wait for it`
}

async function asStatement<Result>(
  connections: Connections,
  dialect: Dialect,
  deadline: Deadline,
  lockWait: number | undefined,
  work: Work<Result>,
): Promise<Result> {
  let sent = false
  try {
    return await connections.hold(
      deadline,
      execute => {
        sent = true
        return work(sessionOf(execute, dialect))
      },
      { lockWait },
    )
  } catch (error) {
    throw sent ? ofCommit(error, dialect) : error
  }
}
