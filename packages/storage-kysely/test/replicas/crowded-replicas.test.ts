import type { Page, Payment } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import { expect, test } from 'vitest'
import { ReadTurns } from '../../src/connections/turns/read-turns.ts'
import type { DatabaseStorage } from '../../src/index.ts'
import { Lag } from '../../src/replicas/lag.ts'
import { readFromReplica } from '../../src/replicas/read-from-replica.ts'
import type { Database } from '../../src/session/database.ts'
import { readingInTurn } from '../../src/session/reading-in-turn.ts'
import { ALL, merchantId } from '../faults/shop.ts'

const ELSEWHERE: Page<Payment> = { items: [], total: 1 }

/** A port whose lists are read by `list`. */
const listing = (list: Storage['payments']['list']) =>
  ({ payments: { list }, cashUps: {}, deliveries: {} }) as Storage

test('where a merchant reads too much there at once, the other server is asked: what had begun there doubts the replica, a turn that did not come does not', async () => {
  const place = { log: 'one', position: '1' }
  const followed = { place: async () => place, hasReached: async () => true }
  const lag = new Lag(3600)
  while (!lag.isSmall(followed)) await new Promise(setImmediate)

  const turns = new ReadTurns(() => 1)
  const silent = listing(() => new Promise(() => {}))
  const elsewhere = listing(async () => ELSEWHERE)
  const storage = readFromReplica(elsewhere as DatabaseStorage, {
    replica: readingInTurn(silent, {
      atReadTurn: (of, call, kind) => turns.take(of, 1, call, kind),
    } as Database),
    ...{ otherwise: elsewhere, followed, lag },
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  const other = turns.take(merchantId, 1, () => promise)
  expect(await storage.payments.list(merchantId, {}, ALL)).toBe(ELSEWHERE)
  expect(lag.isSmall(followed)).toBe(true)

  const begun = storage.payments.list(merchantId, {}, ALL)
  resolve()
  await other
  expect(await begun).toBe(ELSEWHERE)
  expect(lag.isSmall(followed)).toBe(false)
})
