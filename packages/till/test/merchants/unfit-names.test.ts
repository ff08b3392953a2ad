import { memoryStorage } from '@tillkit/storage/memory'
import { expect, test } from 'vitest'
import { refusal, tillOf } from '../till-of.ts'

/** A till over a store that fails for whatever it is asked of these, as a database does for a text that it cannot hold. */
async function strictScene() {
  const storage = memoryStorage()
  const scene = await tillOf({ storage })
  const fails = async () => {
    throw new Error('the database was asked')
  }
  Object.assign(storage.payments, { get: fails, findAttempt: fails })
  Object.assign(storage.apiKeys, { revoke: fails })
  Object.assign(storage.cashUps, { payments: fails })
  Object.assign(storage.reports, { period: fails })
  Object.assign(storage.settlements, { get: fails, find: fails })
  return scene
}

test.each(['a\0', '\uD83D', 'a'.repeat(256)])(
  'the database is not asked for %j, which nothing is called',
  async name => {
    const { till } = await strictScene()
    expect(await till.payments.findAttempt('shop', name)).toBeNull()
    expect(await refusal(till.apiKeys.revoke('shop', name))).toMatch(/^not_found: /)
    expect(await refusal(till.cashUps.payments('shop', name))).toMatch(/^not_found: /)
    expect(await refusal(till.reports.period('shop', { reference: name }))).toMatch(/^not_found: /)
    expect(await till.settlements.get(name)).toBeNull()
    for (const row of [{ merchantReference: name }, { authCode: name }]) {
      const rows = [{ merchantId: 'shop', amount: 1, ...row }]
      const { differing } = await till.settlements.import({ statementReference: 'BANK-1', rows })
      expect(differing).toMatchObject({ unknown: 1 })
    }
  },
)

test.each([1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY])(
  'the database is not asked for payment %d',
  async id => {
    const { till } = await strictScene()
    expect(await till.payments.get('shop', id)).toBeNull()
  },
)
