import { createConfig, lintFromString } from '@redocly/openapi-core'
import { merchantApi, qrEndpoints } from '@tillkit/http'
import { openApiDocument } from '@tillkit/openapi'
import { expect, test } from 'vitest'
import { openTill, parsed, send } from '../../http/test/fixture.ts'
import { complaintsBy } from './documented.ts'

const vocabulary = {
  scanCode: 'snapCode',
  scan_code_size: 'snap_code_size',
  Service: 'SnapScan',
  payments: 'transactions',
  cash_ups: 'periods',
  perPage: 'per_page',
  id: 'number',
  reference: 'name',
  message: 'error',
  payload: 'data',
}
const document = openApiDocument({ serverUrl: 'https://pay.example.org/v1', vocabulary })
const complaintsOf = complaintsBy(document)
const { till, apiKey, merchant, pay } = await openTill()
await pay({ merchantReference: 'A' }, 'completed')
const { reference } = await till.cashUps.create(merchant.id)
const api = merchantApi(till, { rateLimits: false, vocabulary })
const qr = qrEndpoints(till, { qrBaseUrl: 'https://pay.example.org', rateLimits: false, vocabulary })

test.each([
  ['/transactions?per_page=1&snapCode=table-1', 200],
  ['/transactions?per_page=0', 400],
  ['/transactions/1', 200],
  ['/transactions/9', 404],
  [`/transactions/periods/${reference}`, 200],
  ['/periods', 200],
  ['/qr/table-1.svg?snap_code_size=200', 200],
  ['/qr/table-1.svg?snap_code_size=5', 400],
])('in other words %s is answered with what the document says, %i', async (target, status) => {
  const response = target.startsWith('/qr/')
    ? await send(qr, target.slice(3))
    : await send(api, target, { apiKey })
  expect(response.status).toBe(status)
  const [path = ''] = target.split('?')
  expect(complaintsOf({ ...response, method: 'GET', path })).toEqual([])
})

test('its parameters, examples and webhook have the words too, and the linter finds nothing', async () => {
  const parameters = Object(document.paths)['/transactions'].get.parameters as { name: string }[]
  expect(parameters.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['per_page', 'snapCode', 'status']),
  )
  expect(parameters.map(({ name }) => name)).not.toContain('perPage')
  const { examples } = Object(document.paths)['/periods'].get.responses[400].content['application/json']
  const refused = await send(api, '/periods?per_page=0', { apiKey })
  expect(examples.invalid_parameter.value).toEqual(parsed(refused))
  const webhook = JSON.stringify(document.webhooks)
  expect(webhook).toContain('"data":{"type":"string"')
  expect(JSON.stringify(document.components)).toContain('`SnapScan signature=`')
  expect(JSON.stringify(document)).not.toContain('Service signature=')
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  expect(problems.map(({ message }) => message)).toEqual([])
})

test('a scheme of whatever characters one may have is said as it is sent', () => {
  const scheme = "$&'s"
  const { webhooks, components } = openApiDocument({
    serverUrl: 'https://pay.example.org/v1',
    vocabulary: { Service: scheme },
  })
  const { parameters } = Object(webhooks).payment.post as { parameters: { name: string; schema: object }[] }
  const { schema } = parameters.find(({ name }) => name === 'webhook-signature-previous') ?? {}
  expect(Object(schema).pattern).toBe("^\\$&'s signature=[0-9a-f]{64}$")
  expect(JSON.stringify(components)).toContain(`\`${scheme} signature=\``)
})
