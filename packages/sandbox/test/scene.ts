import { parseJson } from '@tillkit/domain'
import type { HttpHandler, HttpResponse } from '@tillkit/http'
import { createSandbox, type Sandbox, type SandboxOptions } from '@tillkit/sandbox'
import type { Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, type Till } from '@tillkit/till'
import { onTestFinished } from 'vitest'

/** Answers of a sandbox to one key. */
export interface Shop {
  get(target: string): Promise<HttpResponse>
  post(target: string, body?: unknown, headers?: Record<string, string>): Promise<HttpResponse>
}

/** A live till with one shop in it, and a sandbox beside it. */
export async function openScene(options: SandboxOptions = {}, liveStorage: Storage = memoryStorage()) {
  const live = createTill({ storage: liveStorage, rememberSeconds: 0, logger: false })
  const sandbox = createSandbox(live, { rememberSeconds: 0, ...options })
  onTestFinished(() => sandbox.close())
  return { live, sandbox, ...(await addShop(live, sandbox, 'coffee')) }
}

/** One more shop, with a key of each kind. */
export async function addShop(live: Till, sandbox: Sandbox, id: string, features = {}) {
  await live.merchants.create({ id, name: `Shop ${id}`, features })
  const { apiKey: liveKey } = await live.apiKeys.issue(id)
  const { apiKey: testKey } = await sandbox.apiKeys.issue(id)
  return {
    liveKey,
    testKey,
    shop: shopOf(sandbox.handler, testKey),
    liveShop: shopOf(sandbox.handler, liveKey),
  }
}

/** Sends with one key; null for none. */
export function shopOf(handler: HttpHandler, apiKey: string | null): Shop {
  const send = (method: string, target: string, body: Uint8Array, headers: Record<string, string> = {}) => {
    const [path = '', query = ''] = target.split('?')
    const authorization = apiKey === null ? {} : { authorization: basic(apiKey) }
    return handler({
      method,
      path,
      query,
      headers: { ...authorization, ...headers },
      secure: true,
      remoteAddress: '203.0.113.7',
      body: async () => body,
    })
  }
  return {
    get: target => send('GET', target, new Uint8Array()),
    post: (target, body, headers) =>
      send('POST', target, Buffer.from(body === undefined ? '' : JSON.stringify(body)), headers),
  }
}

function basic(apiKey: string): string {
  return `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`
}

/** The JSON of a response, with its status. */
export function told({ status, body }: HttpResponse): {
  status: number
  json: ReturnType<typeof JSON.parse>
} {
  return { status, json: parseJson(String(body)) as ReturnType<typeof JSON.parse> }
}
