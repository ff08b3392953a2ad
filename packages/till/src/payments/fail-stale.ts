import { after, type Outcome, validate, wireDate } from '@tillkit/domain'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { messageOf } from '../error-message.ts'
import type { Payments } from './calls.ts'
import { createFailures } from './failures.ts'
import { eachAtOnce, olderThanSeconds, pendingUntil } from './pending.ts'
import { recordOutcome, recordOutcomeOf } from './resolve.ts'

const CONCURRENCY = 8
const STALE: Outcome = { status: 'error', failure: 'stale' }

const staleAge = z.strictObject({ olderThanSeconds })

export function failStale(context: Context): Payments['failStale'] {
  const { storage, clock, logger } = context
  return async options => {
    const { olderThanSeconds } = validate(staleAge, options, 'the options of failStale')
    const date = wireDate(after(await clock.asked(), -olderThanSeconds))
    const failures = createFailures(logger, 'failStale')
    let failed = 0
    try {
      await eachAtOnce(pendingUntil(storage, date), CONCURRENCY, async ({ merchantId, id, payment }) => {
        const key = { merchantId, id }
        try {
          // One that cannot be read cannot be compared either, and is to keep its period open no longer.
          const { changed } = await (payment === null
            ? recordOutcome(context, key, STALE)
            : recordOutcomeOf(context, payment, STALE))
          if (changed) failed += 1
        } catch (error) {
          failures.add('error', key, 'a stale payment was not failed', { error: messageOf(error) })
        }
      })
    } finally {
      failures.sumUp()
    }
    return failed
  }
}
