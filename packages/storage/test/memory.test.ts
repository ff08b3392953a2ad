import { storageConformance, storageMatchesModel } from '@tillkit/storage/conformance'
import { memoryStorage } from '@tillkit/storage/memory'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const open = async () => ({ storage: memoryStorage(), close: async () => {} })

storageConformance({ describe, test, expect }, open)
storageMatchesModel({ describe, test, expect }, open, { fc })

test('a clock before 1970 is at 1970, as it is for the tables of other stores', async () => {
  const { cashUps, merchants, payments } = memoryStorage()
  const now = '1969-12-31T23:59:59.999Z'
  const features = { tips: false, userReferences: false, deviceLists: false }
  await merchants.create({ id: 'coffee', name: 'Coffee', webhookUrl: null, features, createdAt: now })
  const { date } = await cashUps.create('coffee', { reference: 'a'.repeat(32), idempotencyKey: null, now })
  expect(date).toBe('1970-01-01T00:00:00Z')
  expect((await payments.list('coffee', { endDate: date }, { skip: 0, limit: 1 })).total).toBe(0)
})
