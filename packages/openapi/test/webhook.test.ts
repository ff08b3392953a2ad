import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type JsonObject, openApiDocument } from '@tillkit/openapi'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, expect, test } from 'vitest'

const document = openApiDocument({ serverUrl: 'https://pay.example.org/v1' })
const { parameters, requestBody } = (document.webhooks.payment as JsonObject).post as JsonObject
const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema(document, 'document')

const got: { request: IncomingMessage; body: string }[] = []
const receiver = createServer(async (request, response) => {
  let body = ''
  for await (const piece of request) body += piece
  got.push({ request, body })
  response.end()
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
afterAll(() => receiver.close())

const till = createTill({
  storage: memoryStorage(),
  logger: false,
  webhooks: { allowHttp: true, allowPrivateAddresses: true },
})
const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
const { id } = await till.merchants.create({ name: 'Corner Café', webhookUrl })
await till.scanCodes.create(id, { code: 'counter' })
afterAll(() => till.close())

/** Headers of every request of a client, which the document leaves to HTTP. */
const USUAL = [
  'host',
  'connection',
  'content-type',
  'content-length',
  'user-agent',
  'accept',
  'authorization',
]

test('a delivery is what the document says, while two keys sign it', async () => {
  await till.merchants.issueWebhookKey(id)
  await till.merchants.issueWebhookKey(id, { overlapSeconds: 60 })
  await till.payments.complete(
    await till.payments.start({ scanCode: 'counter', totalAmount: 1250, extra: { a: 'ü' } }),
  )
  await till.webhooks.deliverDue()
  expect(got).toHaveLength(1)
  const [{ request, body }] = got as [(typeof got)[0]]

  const known = parameters as { name: string; required: boolean; schema: JsonObject }[]
  const names = known.map(({ name }) => name)
  expect(Object.keys(request.headers).filter(name => !USUAL.includes(name) && !names.includes(name))).toEqual(
    [],
  )
  for (const { name, required, schema } of known) {
    const value = request.headers[name] as string | undefined
    if (value === undefined) expect([name, required]).toEqual([name, false])
    else
      expect([name, ajv.validate(schema, schema.type === 'integer' ? Number(value) : value)]).toEqual([
        name,
        true,
      ])
  }
  expect(names.filter(name => request.headers[name] === undefined)).toEqual(['webhook-signature'])
  expect(request.headers.authorization).toMatch(/^Service signature=[0-9a-f]{64}$/)

  const [[mediaType, { schema }]] = Object.entries((requestBody as JsonObject).content as never) as [
    [string, JsonObject],
  ]
  expect(request.headers['content-type']).toBe(mediaType)
  const form = Object.fromEntries(new URLSearchParams(body))
  expect(ajv.validate(schema as JsonObject, form)).toBe(true)
  const { contentSchema } = Object(schema).properties.payload
  const payment = ajv.compile({ $ref: `document${contentSchema.$ref}` })
  expect([payment(JSON.parse(String(form.payload))), payment.errors]).toEqual([true, null])
})
