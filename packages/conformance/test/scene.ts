import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type HttpHandler, merchantApi, qrEndpoints } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, type Till } from '@tillkit/till'
import { onTestFinished } from 'vitest'
import { fill } from './fill.ts'

/** An instance on a socket of this machine. */
export interface Scene {
  till: Till
  url: string
  /** The same account at another address. */
  oldUrl: string
  qrUrl: string
  key: string
}

/** Stands between the instance and the socket, and may change what it hears and says. */
export interface Between {
  /** Around the API's handler. */
  api?: (handler: HttpHandler, till: Till) => HttpHandler
  /** Around the API at another address, `/old`, for the same account. */
  old?: (handler: HttpHandler, till: Till) => HttpHandler
  /** Around the QR endpoints. */
  qr?: (handler: HttpHandler, till: Till) => HttpHandler
  /** Around the listener of the server. */
  listener?: (listener: RequestListener) => RequestListener
  /** In place of the payments that are there otherwise. */
  fill?: (till: Till, clock: { now: Date }) => Promise<void>
  features?: { tips?: boolean; userReferences?: boolean; deviceLists?: boolean }
  https?: 'required' | 'off'
}

/** A till with an account full of payments, on a socket, until the test is over. */
export async function openScene(between: Between = {}): Promise<Scene> {
  const clock = { now: new Date('2026-03-25T09:30:00Z') }
  const till = createTill({ storage: memoryStorage(), clock: () => clock.now, logger: false })
  const features = { tips: true, userReferences: true, ...between.features }
  await till.merchants.create({ id: 'coffee', name: 'Corner Coffee', features })
  const { apiKey: key } = await till.apiKeys.issue('coffee')
  await till.scanCodes.create('coffee', { code: 'counter', reference: 'Counter one' })
  await till.scanCodes.create('coffee', { code: 'terrace' })
  await (between.fill ?? fill)(till, clock)

  const same = (handler: HttpHandler) => handler
  const { https = 'off', api = same, old = same, qr = same } = between
  const mounted = toNode({
    '/v1': api(merchantApi(till, { https, rateLimits: false }), till),
    '/old': old(merchantApi(till, { https, rateLimits: false }), till),
    '/qr': qr(qrEndpoints(till, { qrBaseUrl: 'https://pay.example.com', https, rateLimits: false }), till),
  })
  const server = createServer(between.listener?.(mounted) ?? mounted)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
    await till.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { till, url: `${origin}/v1`, oldUrl: `${origin}/old`, qrUrl: origin, key }
}
