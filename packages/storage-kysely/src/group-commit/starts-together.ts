import { secondOf } from '@tillkit/domain'
import type { Started as Answer, PaymentStore } from '@tillkit/storage'
import { startAllInOneCall, startOfEachAtNode } from '../citus/payments/start-payments.ts'
import { startedPayment } from '../payments/starting/insert-payment.ts'
import type { Database } from '../session/database.ts'
import { inGroups } from './merchant-groups.ts'
import { ofSeveral } from './of-several.ts'
import type { Start, StartAll, StartAlone, StartedOne, StartOfEach } from './start-all.ts'
import { startAllInOneStatement } from './start-all-in-one-statement.ts'
import { startAllInSteps } from './start-all-in-steps.ts'
import { startOfEachInOneStatement } from './start-of-each-in-one-statement.ts'
import { startOfEachInSteps } from './start-of-each-in-steps.ts'

function startAllFor(database: Database): StartAll {
  const { composes, distributed } = database.dialect
  if (distributed) return startAllInOneCall(database)
  return composes ? startAllInOneStatement(database) : startAllInSteps(database)
}

function startOfEachFor(database: Database): StartOfEach {
  const { composes, distributed } = database.dialect
  if (distributed) return startOfEachAtNode(database)
  return composes ? startOfEachInOneStatement(database) : startOfEachInSteps(database)
}

/** Starts of one merchant that wait together get their ids in one step, in the order in which they were asked for. */
export function startsTogether(database: Database, alone: StartAlone): PaymentStore['start'] {
  const { write, writesWait, nodeOf, dialect } = database
  const { composes, distributed = false } = dialect
  const startAll = startAllFor(database)
  const answersOf = (starts: Start[], started: StartedOne[]) => {
    const answers: (Answer | undefined)[] = starts.map(() => undefined)
    for (const { place, id, date } of started) {
      const given = { id, date, status: 'pending', failure: null } as const
      const { payment } = starts[place] as Start
      answers[place] = { payment: startedPayment(payment, given), created: true }
    }
    return answers
  }
  const startOfEach = startOfEachFor(database)
  const ofEach = async (take: () => Start[], since: number) => {
    const started = await write(session => startOfEach(session, take()), { ...ofSeveral(dialect), since })
    return answersOf(take(), started)
  }

  const start = inGroups<Start, Answer>(
    {
      merchantOf: ({ payment }) => payment.merchantId,
      keyOf: ({ payment }) => payment.attemptKey,
      // One step dates all of its payments alike.
      commonOf: ({ now }) => now && secondOf(now),
      alone: ({ payment, now }, since) => alone(payment, now, since),
      async together(merchantId, starts, since) {
        const payments = starts.map(({ payment }) => payment)
        const now = starts[0]?.now ?? null
        const options = {
          statement: composes,
          saysLimit: true,
          holdsShard: distributed,
          merchantId,
          looksFirst: !composes,
          since,
        }
        const started = await write(session => startAll(session, merchantId, payments, now), options)
        return answersOf(starts, started)
      },
      ofEach: writesWait && { isBusy: writesWait, together: ofEach },
      nodeOf,
    },
    dialect,
  )
  return (payment, now) => start({ payment, now })
}
