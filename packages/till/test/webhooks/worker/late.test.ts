import type { ClaimedDelivery } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { expect, test } from 'vitest'
import { createEvents } from '../../../src/webhooks/events.ts'
import type { Sent } from '../../../src/webhooks/wire/send.ts'
import { createAttempts } from '../../../src/webhooks/worker/attempt.ts'
import { createResults } from '../../../src/webhooks/worker/results.ts'

const logger = { debug() {}, info() {}, warn() {}, error() {} }
const NOW = new Date('2026-11-20T09:30:00.000Z')
const LEASE_UNTIL = new Date('2026-11-20T09:31:00.000Z')

/** The outcome of an attempt of which this came. */
async function outcomeOf(attempt: Partial<Sent['attempt']>, unsent: Sent['unsent'] = null) {
  const { deliveries, endpoints } = memoryStorage()
  const now = async () => NOW
  const whole = { at: NOW.toISOString(), milliseconds: 0, status: 200, error: null, answer: null, ...attempt }
  const make = createAttempts({
    ...{ deliveries, endpoints, now, logger, options: {}, random: () => 0.5, timeoutSeconds: 15 },
    events: createEvents(logger),
    results: createResults({ deliveries: { record: async () => true }, now, logger }),
    send: async () => ({ attempt: whole, retryAfter: null, unsent }),
  })
  const delivery: Partial<ClaimedDelivery> = { merchantId: 'm1', paymentId: 1, attempts: 0, fence: 1 }
  return make({ ...delivery, payment: {}, failingSince: null } as ClaimedDelivery, LEASE_UNTIL)
}

const REFUSED = { status: 500, error: 'answered 500' }
const SILENT = { status: null, error: 'timed out after 15 s' }

test('an answer that took longer than two seconds is a late one, whether it is a success or not', async () => {
  expect(await outcomeOf({ milliseconds: 2000 })).toBe('delivered')
  expect(await outcomeOf({ milliseconds: 2001 })).toBe('delivered late')
  expect(await outcomeOf({ milliseconds: 2000, ...REFUSED })).toBe('answered')
  expect(await outcomeOf({ milliseconds: 2001, ...REFUSED })).toBe('answered late')
})

test('what was not answered, or not asked, is never late', async () => {
  expect(await outcomeOf({ milliseconds: 15_000, ...SILENT })).toBe('unanswered')
  const unsent = { detail: 'no key', reason: 'no key', passing: true }
  expect(await outcomeOf({ milliseconds: 2001, ...SILENT }, unsent)).toBe('unasked')
})
