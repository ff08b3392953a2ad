import { createConfig, lintFromString } from '@redocly/openapi-core'
import { openApiDocument } from '@tillkit/openapi'
import { sandboxRoutes } from '@tillkit/sandbox'
import { expect, test } from 'vitest'
import { z } from 'zod'

const serverUrl = 'https://pay.example.org/v1'
const config = await createConfig({ extends: ['recommended'] })

test.each([
  ['of all accounts', {}],
  ['of accounts with devices', { features: { deviceLists: true } }],
  ['of accounts without', { features: { deviceLists: false } }],
  ['of another title and place', { title: 'Example Pay', qrBaseUrl: 'https://scan.example.org/shop' }],
  ['of the sandbox', { routes: sandboxRoutes }],
  [
    'of the sandbox in other words',
    { routes: sandboxRoutes, vocabulary: { payments: 'transactions', id: 'number' } },
  ],
])('the linter finds nothing in the document %s', async (_, options) => {
  const source = JSON.stringify(openApiDocument({ serverUrl, ...options }))
  const problems = await lintFromString({ source, config })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

test('each call, the QR endpoints and the webhook are in it, HEAD wherever GET is', () => {
  const { paths, webhooks } = openApiDocument({ serverUrl: `${serverUrl}/` })
  const methods = Object.entries(paths).map(([path, item]) => [
    path,
    ...Object.keys(item).filter(name => /^[a-z]+$/.test(name) && name !== 'servers'),
  ])
  expect(methods).toEqual([
    ['/payments', 'get', 'head'],
    ['/payments/{id}', 'get', 'head'],
    ['/payments/cash_ups/{reference}', 'get', 'head'],
    ['/cash_ups', 'get', 'head', 'post'],
    ['/qr/{scanCode}', 'get', 'head'],
    ['/qr/{scanCode}.svg', 'get', 'head'],
    ['/qr/{scanCode}.png', 'get', 'head'],
  ])
  expect(Object.keys(webhooks)).toEqual(['payment'])
  expect(paths['/qr/{scanCode}']?.servers).toEqual([{ url: 'https://pay.example.org' }])
})

test('lists have the form that all accounts have, or both', () => {
  const items = (features: { deviceLists?: boolean }) =>
    Object(openApiDocument({ serverUrl, features })).paths['/payments'].get.responses[200].content[
      'application/json'
    ]
  const payment = { $ref: '#/components/schemas/Payment' }
  const device = { $ref: '#/components/schemas/DevicePayment' }
  expect(items({}).schema.items).toEqual({ anyOf: [payment, device] })
  expect(items({ deviceLists: false }).schema.items).toEqual(payment)
  const devices = items({ deviceLists: true })
  expect(devices.schema.items).toEqual(device)
  expect(devices.example[0]).toMatchObject({
    deviceSerialNumber: expect.any(String),
    transactionType: 'payment',
  })
  expect(devices.example[0]).not.toHaveProperty('isVoucher')
})

test('routes of a host stand beside the others', async () => {
  const document = openApiDocument({
    serverUrl,
    routes: [
      {
        method: 'POST',
        path: '/sandbox/payments',
        operationId: 'makeSandboxPayment',
        summary: 'Makes a payment',
        description: 'Makes a payment of the test ledger.',
        tag: 'Sandbox',
        body: z.object({ totalAmount: z.int().min(0) }),
        answers: [
          { status: 200, description: 'It is made.', headers: ['X-Request-Id'] },
          { status: 400, description: 'It is not.', codes: { invalid_parameter: 'no' }, headers: [] },
        ],
      },
    ],
  })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  expect(problems.map(({ message }) => message)).toEqual([])
  expect(document.paths['/sandbox/payments']).toMatchObject({
    post: {
      requestBody: {
        content: { 'application/json': { schema: { properties: { totalAmount: { minimum: 0 } } } } },
      },
      responses: { 400: { content: { 'application/json': { examples: { invalid_parameter: {} } } } } },
    },
  })
})

test.each([
  [undefined, 'the options of openApiDocument must be an object'],
  [{}, 'serverUrl must be an http or https address without a query'],
  [{ serverUrl: '/v1' }, 'serverUrl must be an http or https address without a query'],
  [{ serverUrl: `${serverUrl}?x` }, 'serverUrl must be an http or https address without a query'],
  [{ serverUrl, qrBaseUrl: 'https://pay.example.org/qr/' }, 'qrBaseUrl must not end in /qr'],
  [{ serverUrl, title: '' }, 'title must not be empty'],
  [{ serverUrl, feature: {} }, 'feature is not a known name of the options of openApiDocument'],
  [{ serverUrl, routes: [{}] }, 'routes must be a list of routes'],
])('%j is refused', (options, message) => {
  expect(() => openApiDocument(options as never)).toThrow(
    expect.objectContaining({ name: 'TillError', code: 'invalid_input', message }),
  )
})
