import { after, validate, wireDate } from '@tillkit/domain'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { Payments } from '../till.ts'

const BATCH = 100

const staleAge = z.strictObject({
  olderThanSeconds: z
    .number('must be a number of seconds, 0 or more')
    .min(0, 'must be a number of seconds, 0 or more')
    .max(1e9, 'must be at most 1000000000'),
})

export function failStale({ storage, clock, now, wakeWorker }: Context): Payments['failStale'] {
  return async options => {
    const { olderThanSeconds } = validate(staleAge, options, 'the options of failStale')
    const date = wireDate(after(clock(), -olderThanSeconds))
    let failed = 0
    while (true) {
      const stale = await storage.payments.pendingSince(date, BATCH)
      for (const key of stale) {
        const resolved = await storage.payments.resolve(key, { status: 'error', failure: 'stale' }, now())
        if (resolved?.changed) failed++
      }
      if (failed > 0) wakeWorker()
      if (stale.length < BATCH) return failed
    }
  }
}
