import type { Storage } from '@tillkit/storage'
import { expect, test } from 'vitest'
import { TurnTooLate } from '../../src/connections/turns/merchant-line.ts'
import type { DatabaseStorage } from '../../src/index.ts'
import { Lag } from '../../src/replicas/lag.ts'
import { readFromReplica } from '../../src/replicas/read-from-replica.ts'
import { ALL, merchantId } from '../faults/shop.ts'

/** A port whose lists are read by `list`. */
const listing = (list: Storage['payments']['list']) => ({ payments: { list }, cashUps: {} }) as Storage

test('a merchant that reads too much there at once does so nowhere else, and has nobody doubt the replica', async () => {
  const place = { log: 'one', position: '1' }
  const followed = { place: async () => place, hasReached: async () => true }
  const lag = new Lag(3600)
  while (!lag.isSmall(followed)) await new Promise(setImmediate)

  const elsewhere = listing(() => expect.unreachable('asked elsewhere'))
  const storage = readFromReplica(elsewhere as DatabaseStorage, {
    ...{ replica: listing(() => Promise.reject(new TurnTooLate('too many'))), otherwise: elsewhere },
    ...{ followed, lag },
  })
  await expect(storage.payments.list(merchantId, {}, ALL)).rejects.toThrow('too many')
  expect(lag.isSmall(followed)).toBe(true)
})
