import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openDesk } from './desk.ts'

const EVIL = `"><script>alert(1)</script><img src=x onerror='alert(2)'>\`\${7*7}\`&amp;\u202e`

/** Tags and attributes of a page that our own templates do not write. */
function foreign(page: string): string[] {
  return page.match(/<script>|<img|\sonerror=(?![^<]*&#)|<script(?! src="[./]+assets\/)/gs) ?? []
}

test('a name, a reference, a label, an answer and a parameter that are HTML are text on every page', async () => {
  const receiver = createServer((request, response) => {
    request.resume()
    response.writeHead(500).end(EVIL)
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => receiver.once('listening', resolve))
  onTestFinished(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  const { port } = receiver.address() as AddressInfo
  const { browse, till } = await openDesk(
    { qrBaseUrl: 'https://pay.example.com', lookup: () => ({ status: 'unknown' }) },
    { webhooks: { allowHttp: true, allowPrivateAddresses: true } },
  )
  await till.merchants.update('cafe', {
    name: EVIL,
    webhookUrl: `http://127.0.0.1:${port}/%22><b>`,
    features: { tips: true, userReferences: true },
  })
  await till.scanCodes.create('cafe', { code: 'evil', reference: EVIL })
  await till.apiKeys.issue('cafe', { label: EVIL })
  const start = () =>
    till.payments.start({
      scanCode: 'evil',
      totalAmount: 100,
      requiredAmount: 100,
      merchantReference: EVIL,
      userReference: EVIL,
      deviceSerialNumber: EVIL,
      extra: { [EVIL]: EVIL, __proto__: 'x' },
    })
  await till.payments.fail(await start(), { failure: EVIL })
  await till.payments.complete(await start())
  await till.payments.settle('cafe', { statementReference: EVIL, paymentIds: [2] })
  await start()
  await till.webhooks.deliverDue()

  const browser = browse({
    name: EVIL,
    permissions: ['read', 'merchants', 'keys', 'codes', 'webhooks', 'audit'],
  })
  await browser.submit('/m-cafe/codes', 'create', { code: EVIL, reference: EVIL })
  const query = encodeURIComponent(EVIL)
  const paths = [
    ...[
      '/account',
      '/payments',
      '/payments/1',
      '/payments/2',
      `/payments?merchantReference=${query}&from=${query}`,
    ],
    ...[`/find?q=${query}`, '/codes', '/sheet?all=on', '/webhooks', '/webhooks?state=all'],
  ]
  const whole = ['/merchants', `/merchants?find=${query}`, '/webhooks', '/unresolved', '/actions']
  for (const path of [...paths.map(path => `/m-cafe${path}`), ...whole]) {
    const { status, page } = await browser.open(path)
    expect([path, status, foreign(page)]).toEqual([path, 200, []])
  }
})

test('no query, path or form makes a fault', async () => {
  const { browse, logged } = await openDesk({ qrBaseUrl: 'https://pay.example.com' })
  const browser = browse()
  const paths = ['/merchants', '/unresolved', '/webhooks'].concat(
    ['payments', 'find', 'codes', 'sheet', 'webhooks', 'payments/1'].map(path => `/m-cafe/${path}`),
  )
  const names = [
    'page',
    'q',
    'find',
    'after',
    'before',
    'status',
    'from',
    'until',
    'state',
    'age',
    'per',
    'job',
    'done',
    'reference',
    'scanCode',
  ]
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '0', '-1', '1e9', '9'.repeat(30), '__proto__', 'constructor', '%', '\0'),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...paths),
      fc.array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 4 }),
      async (path, pairs) => {
        const query = pairs
          .map(
            ([name, value]) =>
              `${name}=${value.replace(/[^\w%-]/gu, c => encodeURIComponent(c.toWellFormed()))}`,
          )
          .join('&')
        const { status } = await browser.open(`${path}?${query}`)
        expect([200, 400, 404]).toContain(status)
      },
    ),
    { numRuns: 300 },
  )
  expect(logged).toEqual([])
})
