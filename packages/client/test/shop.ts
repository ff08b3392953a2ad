import { type ClientOptions, createClient } from '@tillkit/client'
import { type MerchantApiOptions, merchantApi, qrEndpoints, toFetch } from '@tillkit/http'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, type StartPayment } from '@tillkit/till'

export const BASE_URL = 'https://pay.example.com/v1'

/** How a shop is opened, where it matters. */
interface Shop {
  features?: { tips?: boolean; userReferences?: boolean; deviceLists?: boolean }
  clock?: () => Date
  client?: Partial<ClientOptions>
  api?: MerchantApiOptions
  /** Between client and server: takes a request and may do with the answer what it likes. */
  between?: (request: Request, serve: (request: Request) => Promise<Response>) => Promise<Response>
}

/** A merchant of a till in memory behind the real API, and its client, with no socket between. */
export async function openShop({ features, clock, client, api, between }: Shop = {}) {
  const till = createTill({ storage: memoryStorage(), rememberSeconds: 0, logger: false, clock })
  const merchant = await till.merchants.create({ id: 'coffee', name: 'Corner Coffee', features })
  const { apiKey } = await till.apiKeys.issue(merchant.id)
  await till.scanCodes.create(merchant.id, { code: 'counter', reference: 'Counter' })
  await till.scanCodes.create(merchant.id, { code: 'terrace' })
  const handle = toFetch({
    '/v1': merchantApi(till, { rateLimits: false, ...api }),
    '/qr': qrEndpoints(till, { qrBaseUrl: 'https://pay.example.com' }),
  })
  const requests: Request[] = []
  const serve = (request: Request) => handle(request)
  const fetch: ClientOptions['fetch'] = (url, init) => {
    const request = new Request(url, init)
    requests.push(request)
    return between === undefined ? serve(request) : between(request, serve)
  }
  const shop = createClient({ baseUrl: BASE_URL, apiKey, fetch, ...client })
  const pay = async (payment: Partial<StartPayment> = {}, outcome?: 'completed' | 'error') => {
    const started = await till.payments.start({ scanCode: 'counter', totalAmount: 1250, ...payment })
    if (outcome === 'completed') return till.payments.complete(started)
    return outcome === 'error' ? till.payments.fail(started) : started
  }
  return { till, merchant, apiKey, shop, requests, fetch, pay }
}

/** Everything of an iterable. */
export async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
