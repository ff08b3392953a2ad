import { after, moment, wireDate } from '@tillkit/domain'
import { json } from '@tillkit/http'
import { TillError } from '@tillkit/till'
import { z } from 'zod'
import type { Ledger } from '../ledger/ledger.ts'
import { latest } from '../ledger/standing.ts'
import { bodyRoute, plainRoute } from './sandbox-route.ts'

const SECONDS = 'must be a whole number of seconds, 1 to 31536000'

const schema = z.object({
  now: z
    .string()
    .meta({ format: 'date-time' })
    .describe('The time of the ledger, which stands still between requests.'),
  seed: z.string().describe('What all that is made up in it comes from.'),
})
const example = { now: '2026-01-01T00:01:00Z', seed: 'tillkit' }

const move = z
  .strictObject({
    now: z
      .string('must be text')
      .transform(text => text as string | Date)
      .pipe(moment)
      .optional()
      .meta({
        format: 'date-time',
        description: 'The time that it is then: not before the clock, and before the year 3000.',
      }),
    advanceSeconds: z
      .int(SECONDS)
      .min(1, SECONDS)
      .max(31_536_000, SECONDS)
      .optional()
      .describe('How far it moves, in place of `now`.'),
  })
  .refine(({ now, advanceSeconds }) => (now === undefined) !== (advanceSeconds === undefined), {
    path: ['advanceSeconds'],
    message: 'or now must be given, and not both',
  })
  .meta({ minProperties: 1, maxProperties: 1 })

const clockOf = (ledger: Ledger) => json(200, { now: wireDate(ledger.now()), seed: ledger.seed() })
const wholeSecond = (text: string) => new Date(Math.ceil(Date.parse(text) / 1000) * 1000)

/** `GET /sandbox/clock` */
export const getClock = plainRoute(
  {
    at: 'GET /sandbox/clock',
    operationId: 'getTestClock',
    summary: 'The time of the ledger',
    description: 'It stands still until it is moved, so that the same requests are dated the same.',
    answers: { description: 'The time, and the seed.', schema, example },
  },
  async ledger => clockOf(ledger),
)

/** `POST /sandbox/clock` */
export const moveClock = bodyRoute(
  {
    at: 'POST /sandbox/clock',
    operationId: 'moveTestClock',
    summary: 'Moves the time of the ledger on',
    description:
      'Outcomes that are due by then are given, each at its own time; then each webhook that is due gets one attempt. The ' +
      'answer comes when they were tried, or after 20 s. For the retry after that, move it again.',
    body: move,
    answers: {
      description: 'The time, and the seed.',
      schema,
      example,
      invalid: 'now must not be before the clock: it moves on only',
    },
  },
  async (ledger, { now: given, advanceSeconds }) => {
    await ledger.moveClock(now => {
      const to = advanceSeconds === undefined ? wholeSecond(given ?? '') : after(now, advanceSeconds)
      if (to < now) throw new TillError('invalid_input', 'now must not be before the clock: it moves on only')
      if (to > latest) throw new TillError('invalid_input', 'now must be before the year 3000')
      return to
    })
    return clockOf(ledger)
  },
)
