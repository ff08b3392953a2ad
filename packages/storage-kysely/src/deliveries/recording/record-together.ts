import type { DeliveryResult, DeliveryStore } from '@tillkit/storage'
import { eachOf } from '../../endpoints/end-rest.ts'
import { wakeEndpoint } from '../../endpoints/wake-endpoint.ts'
import { isOfDatabase } from '../../faults/is-of-database.ts'
import type { Database } from '../../session/database.ts'
import type { Session } from '../../session/session.ts'
import { BATCH_LOCK_WAIT, inBatches } from '../../session/transactions/in-batches.ts'
import { attemptsOf, type Found, failuresOf, resultRow } from './group-rows.ts'
import { groupStatements } from './group-statements.ts'
import { recordInSteps } from './record-in-steps.ts'

/** A result under its own lease, its place in the group, and its delivery as it was. */
interface Held {
  place: number
  result: DeliveryResult
  row: Found
}

/**
 * Results that come at the same moment are written in one transaction of a few statements, whatever their number, on
 * engines whose statements write one table each. It waits for nobody's rows: where a delivery, or an endpoint that is to be
 * woken, is locked by another, that result alone waits, in a transaction of its own.
 */
export function recordTogether(database: Database): DeliveryStore['record'] {
  const { write, dialect } = database
  const alone = recordInSteps(database)
  const all = recordAll(database)
  const one = inBatches<DeliveryResult, boolean>({
    together: results => write(session => all(session, results), { lockWait: BATCH_LOCK_WAIT }),
    // A group passes by what is locked in any case: if it failed, it did for what one of them holds.
    passing: async results => results.map(() => undefined),
    alone,
    isOfAll: error => isOfDatabase(error, dialect),
  })
  // Of a key that is no whole number the one next to it would be written.
  return async result => (Number.isSafeInteger(result.paymentId) ? one(result) : alone(result))
}

/** True for what was written, false where the lease is another's, undefined where a row is locked or there is none. */
type Answers = (boolean | undefined)[]

function recordAll(database: Database): (session: Session, results: DeliveryResult[]) => Promise<Answers> {
  const { time } = database.dialect
  const statements = groupStatements(database)
  const wake = wakeEndpoint(database)

  /** Those of these merchants whose failing endpoints are locked from now on: others' locks are not waited for. */
  const lockFailing = async (session: Session, merchants: Set<string>) => {
    if (merchants.size === 0) return new Set()
    const rows = [...merchants].map(merchant_id => ({ merchant_id }))
    return new Set((await session.all(statements.lockFailing(rows))).map(row => row.merchant_id))
  }

  const writeAttempts = async (session: Session, held: Held[]) => {
    const { rows, old } = attemptsOf(held, time)
    if (rows.length > 0) await session.change(statements.keep(rows))
    if (old.length > 0) await session.change(statements.drop(old))
  }

  return async (session, results) => {
    const keys = results.map(({ merchantId, paymentId }) => ({
      merchant_id: merchantId,
      payment_id: paymentId,
    }))
    const found = await session.all(statements.find(keys))
    const answers: Answers = results.map(() => undefined)
    const ours = new Map<string, Held>()
    for (const row of found) {
      const place = Number(row.place) - 1
      const result = results[place] as DeliveryResult
      const name = `${result.merchantId} ${result.paymentId}`
      const isOurs = Number(row.is_pending) === 1 && row.fence !== null && Number(row.fence) === result.fence
      // Of two results of one lease the later counts.
      if (isOurs) ours.set(name, { place, result, row })
      answers[place] = false
    }

    const recovers = ({ result, row }: Held) => row.is_failing && result.attempt.error === null
    const recovered = [...ours.values()].filter(recovers).map(({ result }) => result.merchantId)
    const locked = await lockFailing(session, new Set(recovered))
    const held: Held[] = []
    for (const one of ours.values()) {
      const waits = recovers(one) && !locked.has(one.result.merchantId)
      answers[one.place] = waits ? undefined : true
      if (!waits) held.push(one)
    }
    if (held.length === 0) return answers

    const rows = held.map(({ result, row }) => resultRow(result, row, time))
    const changed = await session.change(statements.write(rows))
    if (changed !== rows.length) throw new Error(`of ${rows.length} results ${changed} were written`)
    await writeAttempts(session, held)
    const failures = failuresOf(held, time)
    if (failures.length > 0) await session.change(statements.startFailing(failures))
    for (const merchantId of locked) {
      const last = held.findLast(one => one.result.merchantId === merchantId)
      if (last) await wake(session, last.result.merchantId, time(last.result.attempt.at), eachOf(locked.size))
    }
    return answers
  }
}
