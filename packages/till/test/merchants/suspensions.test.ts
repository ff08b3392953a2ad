import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { describe, expect, test } from 'vitest'
import { refusal, tillOf } from '../till-of.ts'

const AT = '2026-11-20T09:30:00.250Z'

describe('a suspended merchant', () => {
  test('takes no payments on any code until it is resumed, and shows since when', async () => {
    const { till, pay, merchant, clock } = await tillOf()
    expect(merchant.suspendedAt).toBeNull()
    expect((await till.merchants.suspend('shop')).suspendedAt).toBe(AT)
    clock.now = new Date('2026-11-20T09:31:00.000Z')
    expect((await till.merchants.suspend('shop')).suspendedAt).toBe(AT)
    expect(await refusal(pay())).toBe('conflict: merchant shop is suspended: it takes no payments')
    expect(await refusal(pay({ strict: true, merchantReference: 'a' }))).toMatch(/^conflict: /)
    expect((await till.payments.list('shop')).total).toBe(0)
    expect(await till.merchants.resume('shop')).toEqual(merchant)
    expect((await pay()).id).toBe(1)
  })

  test('is shown to who authenticates at once, and can be read, settled and cashed up', async () => {
    const { till, pay } = await tillOf()
    const { apiKey } = await till.apiKeys.issue('shop')
    const payment = await pay({ attemptKey: 'a' })
    expect((await till.authenticate(apiKey))?.suspendedAt).toBeNull()
    await till.merchants.suspend('shop')
    expect((await till.authenticate(apiKey))?.suspendedAt).toBe(AT)
    expect((await pay({ attemptKey: 'a' })).id).toBe(payment.id)
    expect((await till.payments.complete(payment)).status).toBe('completed')
    await till.payments.settle('shop', { statementReference: 'BANK-1', paymentIds: [payment.id] })
    const { reference } = await till.cashUps.create('shop')
    expect((await till.cashUps.payments('shop', reference)).total).toBe(1)
  })

  test('in another process, what that one remembers starts nothing', async () => {
    const storage = memoryStorage()
    const { till, pay, code } = await tillOf({ storage, rememberSeconds: 3600 })
    const other = createTill({ storage, logger: false })
    await pay()
    await other.merchants.suspend('shop')
    expect(await refusal(pay())).toMatch(/^conflict: merchant shop is suspended/)
    await other.merchants.resume('shop')
    await other.scanCodes.suspend(code)
    expect(await refusal(pay())).toMatch(/^conflict: scan code /)
    await other.scanCodes.resume(code)
    expect((await pay()).id).toBe(2)
    await till.close()
    await other.close()
  })
})

test('a suspended scan code takes no payments, its merchant’s others do', async () => {
  const { till, pay, code } = await tillOf()
  const other = await till.scanCodes.create('shop', { code: 'other' })
  expect((await till.scanCodes.suspend(code)).suspendedAt).toBe(AT)
  expect((await till.scanCodes.get(code))?.suspendedAt).toBe(AT)
  expect(await refusal(pay())).toBe(`conflict: scan code ${code} is suspended: it takes no payments`)
  expect((await pay({ scanCode: other.code })).id).toBe(1)
  expect((await till.scanCodes.resume(code)).suspendedAt).toBeNull()
  expect((await pay()).id).toBe(2)
})

test('what is wrong is named', async () => {
  const { till } = await tillOf()
  for (const verb of ['suspend', 'resume'] as const) {
    expect(await refusal(till.merchants[verb]('nobody'))).toBe('not_found: merchant nobody is unknown')
    expect(await refusal(till.merchants[verb]('a b'))).toMatch(/^invalid_input: merchantId /)
    expect(await refusal(till.scanCodes[verb]('nobody'))).toBe('not_found: scan code nobody is unknown')
    expect(await refusal(till.scanCodes[verb]('a b'))).toBe('not_found: scan code a b is unknown')
    expect(await refusal(till.scanCodes[verb](7 as never))).toBe('invalid_input: code must be a string')
  }
})
