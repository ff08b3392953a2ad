import { merchantApi } from '@tillkit/http'
import { expect, test } from 'vitest'
import { openTill, parsed, send } from '../fixture.ts'

const KEYS = [
  ...['id', 'status', 'date', 'totalAmount', 'tipAmount', 'scanCode', 'scanCodeReference', 'userReference'],
  ...[
    'statementReference',
    'isVoucher',
    'isVoucherRedemption',
    'requiredAmount',
    'merchantReference',
    'authCode',
    'extra',
  ],
]

async function open(features = {}) {
  const opened = await openTill(features)
  const api = merchantApi(opened.till, { rateLimits: false })
  const ids = async (query: string) => {
    const response = await send(api, `/payments?${query}`, { apiKey: opened.apiKey })
    return parsed(response).map(({ id }: { id: number }) => id)
  }
  return { ...opened, api, ids }
}

test('nothing yet is an empty array', async () => {
  const { api, apiKey } = await open()
  const response = await send(api, '/payments', { apiKey })
  expect(response).toMatchObject({ status: 200, body: '[]' })
  expect(response.headers).toMatchObject({
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': '2',
    'Cache-Control': 'no-store',
    'X-Total': '0',
    'X-Total-Pages': '0',
  })
})

test('payment objects, all fifteen keys, the latest first', async () => {
  const { api, apiKey, pay, till, merchant } = await open({ tips: true, userReferences: true })
  await pay(
    {
      ...{ tipAmount: 50, userReference: 'Zoë', merchantReference: 'order 5', requiredAmount: 1200 },
      extra: { __proto__: null, table: '7', note: '☕' } as unknown as Record<string, string>,
    },
    'completed',
  )
  await till.payments.settle(merchant.id, { statementReference: 'S-1', paymentIds: [1] })
  await pay()
  const response = await send(api, '/payments', { apiKey })
  const [second, first] = parsed(response)
  expect(Object.keys(first)).toEqual(KEYS)
  expect(first).toEqual({
    ...{
      id: 1,
      status: 'completed',
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      totalAmount: 1250,
    },
    ...{
      tipAmount: 50,
      scanCode: 'table-1',
      scanCodeReference: 'Table 1',
      userReference: 'Zoë',
      statementReference: 'S-1',
    },
    ...{ isVoucher: false, isVoucherRedemption: false, requiredAmount: 1200, merchantReference: 'order 5' },
    ...{ authCode: expect.stringMatching(/^\d{6}$/), extra: { table: '7', note: '☕' } },
  })
  expect(Object.keys(second)).toEqual(KEYS)
  expect(second).toMatchObject({
    id: 2,
    status: 'pending',
    merchantReference: null,
    authCode: null,
    extra: {},
  })
  expect(response.body).toBe(JSON.stringify([second, first]))
  expect(response.headers['Content-Length']).toBe(String(Buffer.byteLength(String(response.body))))
})

test('device lists show the device in place of the voucher flags', async () => {
  const { api, apiKey, pay } = await open({ deviceLists: true })
  await pay({ deviceSerialNumber: 'D-9', isVoucher: true })
  await pay()
  const payments = parsed(await send(api, '/payments', { apiKey }))
  expect(payments).toMatchObject([
    { deviceSerialNumber: null, transactionType: 'payment' },
    { deviceSerialNumber: 'D-9', transactionType: 'payment' },
  ])
  for (const payment of payments) expect(payment).not.toHaveProperty('isVoucher')
})

test('filters, alone and together', async () => {
  const { ids, pay, till, merchant } = await open({ userReferences: true })
  await till.scanCodes.create(merchant.id, { code: 'table-2', reference: 'Table 2' })
  await pay({ userReference: 'ann', merchantReference: 'A' }, 'completed')
  await pay({ userReference: 'bob', merchantReference: 'B' }, 'error')
  await pay({ scanCode: 'table-2', userReference: 'ann' })
  await till.payments.settle(merchant.id, { statementReference: 'S-1', paymentIds: [1] })
  expect(await ids('')).toEqual([3, 2, 1])
  expect(await ids('status=completed')).toEqual([1])
  expect(await ids('status=pending,error')).toEqual([3, 2])
  expect(await ids('scanCode=table-2')).toEqual([3])
  expect(await ids('scanCodeReference=Table+1')).toEqual([2, 1])
  expect(await ids('userReference=ann')).toEqual([3, 1])
  expect(await ids('merchantReference=B')).toEqual([2])
  expect(await ids('statementReference=S-1')).toEqual([1])
  expect(await ids('userReference=ann&status=pending')).toEqual([3])
  expect(await ids('userReference=ann&status=error')).toEqual([])
  expect(await ids('startDate=2000-01-01T00:00:00Z&endDate=2999-01-01T00:00:00Z')).toEqual([3, 2, 1])
  expect(await ids('endDate=2000-01-01T00:00:00Z')).toEqual([])
  expect(await ids('startDate=2999-01-01T00:00:00Z')).toEqual([])
})

test("another merchant's payments are not there", async () => {
  const { api, till, pay } = await open()
  await pay()
  const other = await till.merchants.create({ name: 'Other' })
  const { apiKey } = await till.apiKeys.issue(other.id)
  expect(await send(api, '/payments', { apiKey })).toMatchObject({ body: '[]', headers: { 'X-Total': '0' } })
})
