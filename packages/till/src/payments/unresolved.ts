import { after, parseDateTime, TillError, validate, wireDate } from '@tillkit/domain'
import type { PendingPosition } from '@tillkit/storage'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { Payments } from './calls.ts'
import { olderThanSeconds } from './pending.ts'

const LIMIT = 'must be an integer from 1 to 1000'

const unresolvedRange = z.strictObject({
  olderThanSeconds,
  after: z.string().nullish(),
  limit: z.int(LIMIT).min(1, LIMIT).max(1000, LIMIT).default(100),
})

export function unresolved({ storage, clock, logger }: Context): Payments['unresolved'] {
  return async options => {
    const range = validate(unresolvedRange, options, 'the options of unresolved')
    const position = range.after ?? undefined
    const found = await storage.payments.pendingSince({
      date: wireDate(after(await clock.asked(), -range.olderThanSeconds)),
      after: position === undefined ? undefined : positionOf(position),
      // One more, to know whether there are more.
      limit: range.limit + 1,
    })
    const page = found.slice(0, range.limit)
    const items = page.flatMap(({ payment, merchantId, id }) => {
      if (payment !== null) return [payment]
      logger.error({ merchantId, paymentId: id }, 'a pending payment cannot be read')
      return []
    })
    const last = page.at(-1)
    return { items, after: last && found.length > page.length ? cursorOf(last) : null }
  }
}

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) ([1-9]\d{0,15}) ([A-Za-z0-9_.:-]{1,64})$/

function cursorOf({ date, merchantId, id }: PendingPosition): string {
  return Buffer.from(`${date} ${id} ${merchantId}`).toString('base64url')
}

function positionOf(cursor: string): PendingPosition {
  const [, date, id, merchantId] =
    (cursor.length <= 200 && CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1'))) || []
  if (date !== undefined && id !== undefined && merchantId !== undefined && parseDateTime(date) === date) {
    const position = { date, merchantId, id: Number(id) }
    if (cursorOf(position) === cursor) return position
  }
  throw new TillError('invalid_input', 'after must be what unresolved returned as after')
}
