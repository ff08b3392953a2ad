import { createSandbox } from '@tillkit/sandbox'
import { memoryStorage } from '@tillkit/storage/memory'
import { expect, test } from 'vitest'
import { openScene, shopOf, told } from './scene.ts'

test('a payment is made with its outcome', async () => {
  const { shop } = await openScene()
  const made = await shop.post('/sandbox/payments', {
    totalAmount: 1250,
    requiredAmount: 1250,
    merchantReference: 'order-7',
    extra: { table: '7' },
    isVoucher: true,
  })
  const payment = told(made)
  expect(payment).toEqual({
    status: 200,
    json: {
      id: 1,
      status: 'completed',
      date: '2026-01-01T00:00:00Z',
      totalAmount: 1250,
      tipAmount: null,
      scanCode: expect.stringMatching(/^test-[0-9a-f]{16}$/),
      scanCodeReference: null,
      userReference: null,
      statementReference: null,
      isVoucher: true,
      isVoucherRedemption: false,
      requiredAmount: 1250,
      merchantReference: 'order-7',
      authCode: expect.stringMatching(/^\d{6}$/),
      extra: { table: '7' },
    },
  })
  expect(told(await shop.get('/payments/1')).json).toEqual(payment.json)
  const failed = told(
    await shop.post('/sandbox/payments', { totalAmount: 1, outcome: 'error', failure: 'declined' }),
  )
  expect(failed.json).toMatchObject({ id: 2, status: 'error', scanCode: payment.json.scanCode })
})

test('a pending payment waits for a request, and what was decided stands', async () => {
  const { shop } = await openScene()
  expect(told(await shop.post('/sandbox/payments', { totalAmount: 1, outcome: 'pending' })).json.status).toBe(
    'pending',
  )
  await shop.post('/cash_ups')
  const [{ reference }] = told(await shop.get('/cash_ups')).json
  expect(told(await shop.get(`/payments/cash_ups/${reference}`))).toMatchObject({ status: 500 })
  expect(told(await shop.post('/sandbox/payments/1/outcome', { outcome: 'error' })).json.status).toBe('error')
  expect(told(await shop.post('/sandbox/payments/1/outcome', { outcome: 'error' })).status).toBe(200)
  const other = told(await shop.post('/sandbox/payments/1/outcome', { outcome: 'completed' }))
  expect(other).toMatchObject({ status: 409, json: { code: 'conflict' } })
  expect(told(await shop.get(`/payments/cash_ups/${reference}`))).toEqual({ status: 200, json: [] })
  for (const id of ['2', '0', 'x']) {
    expect((await shop.post(`/sandbox/payments/${id}/outcome`, { outcome: 'error' })).status).toBe(404)
  }
})

test('delayed outcomes come when the clock is moved, each at its own time', async () => {
  const { shop } = await openScene()
  for (const [delaySeconds, outcome] of [
    [60, 'completed'],
    [30, 'error'],
    [90, 'completed'],
  ]) {
    const made = await shop.post('/sandbox/payments', { totalAmount: 1, outcome, delaySeconds })
    expect(told(made).json.status).toBe('pending')
  }
  const statuses = async () =>
    told(await shop.get('/payments')).json.map((payment: { status: string }) => payment.status)
  const clock = told(await shop.post('/sandbox/clock', { advanceSeconds: 60 }))
  expect(clock.json).toEqual({ now: '2026-01-01T00:01:00Z', seed: 'tillkit' })
  expect(await statuses()).toEqual(['pending', 'error', 'completed'])
  await shop.post('/sandbox/clock', { now: '2026-01-01T02:00:00+01:00' })
  expect(await statuses()).toEqual(['completed', 'error', 'completed'])
  expect(told(await shop.get('/sandbox/clock')).json.now).toBe('2026-01-01T01:00:00Z')
  expect(told(await shop.post('/sandbox/payments', { totalAmount: 1 })).json.date).toBe(
    '2026-01-01T01:00:00Z',
  )
  const back = told(await shop.post('/sandbox/clock', { now: '2026-01-01T00:00:00Z' }))
  expect(back).toEqual({
    status: 400,
    json: { code: 'invalid_parameter', message: 'now must not be before the clock: it moves on only' },
  })
})

test('strict payments are refused as they are live', async () => {
  const { shop } = await openScene()
  const order = { totalAmount: 500, requiredAmount: 500, merchantReference: 'order-1', strict: true }
  const statuses = []
  for (const totalAmount of [400, 500, 500]) {
    statuses.push(told(await shop.post('/sandbox/payments', { ...order, totalAmount })).json.status)
  }
  expect(statuses).toEqual(['error', 'completed', 'error'])
})

test('scan codes are the ledger’s own, also one that the live till has', async () => {
  const { live, shop } = await openScene()
  await live.scanCodes.create('coffee', { code: 'counter', reference: 'live' })
  expect(told(await shop.post('/sandbox/payments', { scanCode: 'counter', totalAmount: 1 })).status).toBe(404)
  const made = await shop.post('/sandbox/scan_codes', { code: 'counter', reference: 'Counter' })
  expect(told(made)).toEqual({ status: 200, json: { code: 'counter', reference: 'Counter' } })
  expect(told(await shop.post('/sandbox/scan_codes', { code: 'counter' })).status).toBe(409)
  const paid = told(await shop.post('/sandbox/payments', { scanCode: 'counter', totalAmount: 1 }))
  expect(paid.json).toMatchObject({ scanCode: 'counter', scanCodeReference: 'Counter' })
  expect(told(await shop.get('/payments?scanCode=counter&scanCodeReference=Counter')).json).toEqual([
    paid.json,
  ])
  await shop.post('/sandbox/scan_codes')
  const codes = told(await shop.get('/sandbox/scan_codes')).json
  expect(codes).toEqual([
    { code: 'counter', reference: 'Counter' },
    { code: expect.stringMatching(/^test-/), reference: null },
  ])
  expect(told(await shop.post('/sandbox/scan_codes', { code: 'x'.repeat(41) }))).toMatchObject({
    status: 400,
  })
})

test('bad input is 400 and named', async () => {
  const { shop } = await openScene()
  const wrong: [string, unknown, string][] = [
    ['/sandbox/payments', {}, 'totalAmount'],
    ['/sandbox/payments', { totalAmount: 1.5 }, 'totalAmount'],
    ['/sandbox/payments', { totalAmount: 1, tipAmount: 2 }, 'tipAmount'],
    ['/sandbox/payments', { totalAmount: 1, outcome: 'paid' }, 'outcome'],
    ['/sandbox/payments', { totalAmount: 1, failure: 'declined' }, 'failure'],
    ['/sandbox/payments', { totalAmount: 1, outcome: 'pending', delaySeconds: 1 }, 'delaySeconds'],
    ['/sandbox/payments', { totalAmount: 1, delaySeconds: -1 }, 'delaySeconds'],
    ['/sandbox/payments', { totalAmount: 1, webhook: { times: 11 } }, 'webhook'],
    ['/sandbox/payments', { totalAmount: 1, amount: 1 }, 'amount'],
    [
      '/sandbox/payments',
      { totalAmount: 1, extra: { 'tillkit-sandbox-plan': '{}' } },
      'tillkit-sandbox-plan',
    ],
    ['/sandbox/payments', { totalAmount: 1, attemptKey: 'a' }, 'attemptKey'],
    ['/sandbox/payments', [], 'the body'],
    ['/sandbox/clock', {}, 'advanceSeconds'],
    ['/sandbox/clock', { advanceSeconds: 1, now: '2026-02-01T00:00:00Z' }, 'advanceSeconds'],
    ['/sandbox/clock', { now: 'soon' }, 'now'],
    ['/sandbox/clock', { now: '9999-12-31T00:00:00Z' }, 'now'],
    ['/sandbox/reset', { seed: 'a b' }, 'seed'],
    ['/sandbox/webhook', { url: 'ftp://example.com' }, 'url'],
    ['/sandbox/webhook', { url: 'http://example.com' }, 'url must be https'],
    ['/sandbox/scan_codes', { code: 'x'.repeat(41) }, 'code must be 1 to 40 of A-Za-z0-9_-'],
    ['/sandbox/payments', { totalAmount: 1, scanCode: 'x'.repeat(41) }, 'scanCode must be 1 to 40'],
  ]
  for (const [path, body, named] of wrong) {
    const answer = told(await shop.post(path, body))
    expect([path, answer.status, answer.json.code]).toEqual([path, 400, 'invalid_parameter'])
    expect(answer.json.message).toContain(named)
  }
  expect(told(await shop.get('/payments')).json).toEqual([])
})

test('names in extra are as they were sent, whatever others were called', async () => {
  const { shop } = await openScene()
  for (const name of ['wheel\\', 'wheel"', 'wheel\n', 'wheel\u0001']) {
    const extra = { size: 'L', [name]: name }
    expect(told(await shop.post('/sandbox/payments', { totalAmount: 1, extra })).json.extra).toEqual(extra)
  }
})

test('a ledger has its bounds', async () => {
  const { shop } = await openScene({ maxPayments: 2 })
  for (const status of [200, 200, 409, 409]) {
    expect((await shop.post('/sandbox/payments', { totalAmount: 1 })).status).toBe(status)
  }
  await shop.post('/sandbox/reset')
  expect((await shop.post('/sandbox/payments', { totalAmount: 1 })).status).toBe(200)
})

test('the host reaches a test ledger by a till of its own, which knows no other merchant', async () => {
  const { live, sandbox, shop } = await openScene()
  const till = await sandbox.till('coffee')
  const id = sandbox.merchantId('coffee')
  await till.scanCodes.create(id, { code: 'counter' })
  const started = await till.payments.start({ scanCode: 'counter', totalAmount: 700 })
  await till.payments.complete(started)
  await till.payments.settle(id, { statementReference: 'BANK-1', paymentIds: [1] })
  expect(told(await shop.get('/payments?statementReference=BANK-1')).json).toMatchObject([
    { totalAmount: 700 },
  ])
  expect(await till.merchants.list()).toMatchObject([{ id: 'test:coffee', name: 'Shop coffee' }])
  expect(await till.merchants.get('coffee')).toBe(null)
  await expect(till.payments.list('coffee')).rejects.toThrow('another merchant')
  await expect(till.merchants.create({ name: 'x' })).rejects.toThrow('live merchant')
  await expect(till.merchants.update(id, { name: 'x' })).rejects.toThrow('name is that of the live merchant')
  await expect(till.apiKeys.issue(id)).rejects.toThrow('sandbox.apiKeys')
  expect((await live.payments.list('coffee')).total).toBe(0)
  await till.scanCodes.suspend('counter')
  expect((await shop.post('/sandbox/payments', { totalAmount: 1 })).status).toBe(409)
  await till.scanCodes.resume('counter')
  await till.payments.start({ scanCode: 'counter', totalAmount: 1 })
  await shop.post('/sandbox/clock', { advanceSeconds: 100 })
  expect((await till.payments.unresolved({ olderThanSeconds: 50 })).items).toMatchObject([{ id: 2 }])
  expect(await till.payments.failStale({ olderThanSeconds: 50 })).toBe(1)
})

test('under a vocabulary requests and answers have its words', async () => {
  const { shop } = await openScene({ api: { vocabulary: { scanCode: 'snapCode', totalAmount: 'total' } } })
  await shop.post('/sandbox/scan_codes', { code: 'counter' })
  const made = told(await shop.post('/sandbox/payments', { snapCode: 'counter', total: 5 }))
  expect(made.json).toMatchObject({ snapCode: 'counter', total: 5 })
  expect(told(await shop.get('/payments?snapCode=counter')).json).toEqual([made.json])
  const message = async (body: unknown) => told(await shop.post('/sandbox/payments', body)).json.message
  expect(await message({ total: 'x' })).toMatch(/^total must be an integer/)
  expect(await message({ total: 1, tipAmount: 2 })).toBe(
    'tipAmount must not be more than total, which includes it',
  )
})

test('outcomes of one move are given in the order of their times, and webhooks are due by those', async () => {
  const { shop } = await openScene()
  await shop.post('/sandbox/webhook', { url: 'https://shop.example.com/hook' })
  for (const delaySeconds of [60, 30]) {
    await shop.post('/sandbox/payments', { totalAmount: 1, delaySeconds, webhook: { delaySeconds: 100 } })
  }
  await shop.post('/sandbox/clock', { advanceSeconds: 60 })
  expect(told(await shop.get('/sandbox/webhooks')).json).toMatchObject([
    { paymentId: 2, nextAttemptAt: '2026-01-01T00:02:10.000Z' },
    { paymentId: 1, nextAttemptAt: '2026-01-01T00:02:40.000Z' },
  ])
})

test('an outcome that another process gave while the clock was moved stands', async () => {
  const storage = memoryStorage()
  const { live, shop, testKey } = await openScene({ storage })
  const beside = shopOf(createSandbox(live, { storage }).handler, testKey)
  await shop.post('/sandbox/payments', { totalAmount: 1, delaySeconds: 30 })
  const { list } = storage.payments
  storage.payments.list = async (...asked) => {
    const found = await list(...asked)
    storage.payments.list = list
    await beside.post('/sandbox/payments/1/outcome', { outcome: 'error' })
    return found
  }
  const moved = told(await shop.post('/sandbox/clock', { advanceSeconds: 30 }))
  expect(moved).toMatchObject({ status: 200, json: { now: '2026-01-01T00:00:30Z' } })
  expect(told(await shop.get('/payments/1')).json).toMatchObject({ status: 'error' })
})
