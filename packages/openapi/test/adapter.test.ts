import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { HttpHandler } from '@tillkit/http'
import { adapterConformance, type Host } from '@tillkit/http/adapter-conformance'
import { toNode } from '@tillkit/node'
import { openApiDocument } from '@tillkit/openapi'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { generate } from 'selfsigned'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { comparing, complaintsBy } from './documented.ts'

const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], { keySize: 2048 })
const complaintsOf = complaintsBy(openApiDocument({ serverUrl: 'https://pay.example.org/v1' }))
const complaints: string[] = []
let compared = 0

afterEach(() => expect(complaints.splice(0)).toEqual([]))
afterAll(() => expect(compared).toBeGreaterThan(60))

const ours = (handler: HttpHandler | undefined, prefix: '' | '/qr'): HttpHandler => {
  const checked = comparing(handler as HttpHandler, prefix, complaintsOf, complaints)
  return request => {
    compared += 1
    return checked(request)
  }
}

async function serve({ mounts, tls, parsesBodies }: Host) {
  const listener = toNode({ '/v1': ours(mounts['/v1'], ''), '/qr': ours(mounts['/qr'], '/qr') })
  const server = tls ? createSecureServer(tls) : createServer()
  server.on('request', async (request, response) => {
    if (parsesBodies) for await (const _ of request);
    listener(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise<void>(resolve => void server.close(() => resolve()))
  return { port: (server.address() as AddressInfo).port, close }
}

// Of the suite the part that mounts the API: the handlers of the others are made to try an adapter, and answer as no API does.
const suite = {
  describe: (name: string, body: () => void) => (name === 'the API' ? describe(name, body) : undefined),
  test: (name: string, body: () => Promise<void>) => test(name, body),
  expect,
}

adapterConformance(
  suite,
  { serve, errors: 'masked', targets: 'all', trustsProxies: false },
  { certificate: { key, cert }, openTill: () => createTill({ storage: memoryStorage() }) },
)
