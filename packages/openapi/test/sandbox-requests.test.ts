import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNode } from '@tillkit/node'
import { type JsonObject, openApiDocument } from '@tillkit/openapi'
import { createSandbox, sandboxRoutes } from '@tillkit/sandbox'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { type Operation, operationsOf, senderTo, valuesOf } from './generated.ts'
import { validBody, wrongBodies } from './generated-bodies.ts'

const live = createTill({ storage: memoryStorage(), logger: false })
await live.merchants.create({ id: 'coffee', name: 'Corner Coffee' })
const sandbox = createSandbox(live, { api: { https: 'off', rateLimits: false } })
const { apiKey: testKey } = await sandbox.apiKeys.issue('coffee')
const { apiKey: liveKey } = await live.apiKeys.issue('coffee')
// On a busy machine more time passes between two requests than an idle connection is kept for by default.
const server = createServer({ keepAliveTimeout: 120_000 }, toNode({ '/v1': sandbox.handler }))
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
afterAll(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  await sandbox.close()
})

const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const document = openApiDocument({ serverUrl: `${origin}/v1`, routes: sandboxRoutes })
const send = senderTo(origin, document)
const operations = operationsOf(document).filter(({ open }) => !open)
const ofSandbox = operations.filter(({ path }) => path.startsWith('/sandbox'))
const withBody = ofSandbox.filter(({ body }) => body !== null)

/** Addresses that no webhook is sent to. */
const url = ['https://127.0.0.1/hook', null]

/** What of a body only sentences say. */
const asSaid = ({ totalAmount, tipAmount }: JsonObject) => Number(tipAmount ?? 0) <= Number(totalAmount ?? 0)

/** A ledger with a payment that is decided, one that is not, and a cash up. */
async function begin() {
  const post = (path: string, body = '') =>
    fetch(`${origin}/v1${path}`, {
      method: 'POST',
      body,
      headers: { Authorization: `Basic ${btoa(`${testKey}:`)}` },
    })
  await post('/sandbox/reset', '{}')
  await post('/sandbox/payments', '{"totalAmount":5}')
  await post('/sandbox/payments', '{"totalAmount":6,"outcome":"pending"}')
  const cashUp = await post('/cash_ups')
  return (await cashUp.json()) as { reference: string }
}
const known = { reference: (await begin()).reference }

function bodiesOf({ body, bodyRequired }: Operation): fc.Arbitrary<string | undefined> {
  if (body === null) return fc.constant(undefined)
  const given = validBody(body, { url })
    .filter(asSaid)
    .map(value => JSON.stringify(value))
  return bodyRequired ? given : fc.option(given, { nil: undefined, freq: 5 })
}

test.each(operations)(
  '$method $path: valid requests are taken, and answered as documented',
  async operation => {
    await begin()
    await fc.assert(
      fc.asyncProperty(valuesOf(operation, known), bodiesOf(operation), async (values, body) => {
        // The clock moves on only.
        if (operation.path === '/sandbox/clock') await begin()
        const { status, complaints, address } = await send(operation, values, { key: testKey, body })
        expect({ address, complaints }).toEqual({ address, complaints: [] })
        // A period with a pending payment is not ready; ids, codes and outcomes are others than those that there are.
        const taken = operation.path.includes('{reference}') ? [200, 500] : [200, 404, 409]
        expect(taken).toContain(status)
      }),
      { numRuns: 25 },
    )
  },
)

describe.each(withBody)('$method $path', operation => {
  const { body, bodyRequired } = operation as Operation & { body: JsonObject }
  test.each(wrongBodies(body))('with one thing wrong, $what, is 400 as documented', async ({ change }) => {
    await fc.assert(
      fc.asyncProperty(validBody(body, { url }).filter(asSaid), async valid => {
        const sent = JSON.stringify(change(valid))
        const values = new Map(operation.parameters.map(parameter => [parameter, '1']))
        const { status, complaints } = await send(operation, values, { key: testKey, body: sent })
        expect({ sent, status, complaints }).toEqual({ sent, status: 400, complaints: [] })
      }),
      { numRuns: 2 },
    )
  })

  test('what is no JSON is 400, what is too large 413, and nothing at all what the document says', async () => {
    const values = new Map(operation.parameters.map(parameter => [parameter, '1']))
    for (const [sent, expected] of [
      ['{', 400],
      [' '.repeat(65_537), 413],
      ['', bodyRequired ? 400 : 200],
    ] as const) {
      const { status, complaints } = await send(operation, values, { key: testKey, body: sent })
      expect({ sent: sent.length, status, complaints }).toEqual({
        ...{ sent: sent.length, status: expected },
        complaints: [],
      })
    }
  })
})

test.each(ofSandbox)(
  '$method $path is 404 for a live key and 401 for none, as documented',
  async operation => {
    const values = new Map(operation.parameters.map(parameter => [parameter, '1']))
    for (const [key, expected] of [
      [liveKey, 404],
      ['tk_test_wrong', 401],
      [null, 401],
    ] as const) {
      const { status, complaints } = await send(operation, values, { key })
      expect({ status, complaints }).toEqual({ status: expected, complaints: [] })
    }
  },
)
