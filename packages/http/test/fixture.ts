import type { HttpHandler, HttpRequest, HttpResponse } from '@tillkit/http'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, type StartPayment, type Till } from '@tillkit/till'

/** A till with one merchant, its key and a scan code. */
export async function openTill(features = {}) {
  const till = createTill({ storage: memoryStorage(), rememberSeconds: 0, logger: false })
  const merchant = await till.merchants.create({ name: 'Corner Café', features })
  const { apiKey } = await till.apiKeys.issue(merchant.id)
  const { code } = await till.scanCodes.create(merchant.id, { code: 'table-1', reference: 'Table 1' })
  const pay = async (payment: Partial<StartPayment> = {}, outcome?: 'completed' | 'error') => {
    const started = await till.payments.start({ scanCode: code, totalAmount: 1250, ...payment })
    if (outcome === 'completed') return till.payments.complete(started)
    return outcome === 'error' ? till.payments.fail(started) : started
  }
  return { till, merchant, apiKey, code, pay }
}

/** What a till is where none of its methods may be called. */
export const untouchable = new Proxy({} as Till, {
  get: (_, name) =>
    name === 'authenticate'
      ? () => {
          throw new Error('authenticate was called')
        }
      : undefined,
})

export function basic(apiKey: string, password = ''): string {
  return `Basic ${Buffer.from(`${apiKey}:${password}`).toString('base64')}`
}

export interface Sent extends Partial<HttpRequest> {
  /** Sent as Basic authentication. */
  apiKey?: string
}

/** A request over HTTPS, as an adapter makes it. */
export function request(target: string, { apiKey, headers, ...facts }: Sent = {}): HttpRequest {
  const mark = target.indexOf('?')
  return {
    method: 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    headers: { ...(apiKey !== undefined && { authorization: basic(apiKey) }), ...headers },
    secure: true,
    remoteAddress: '203.0.113.7',
    body: () => Promise.reject(new Error('the body was read')),
    ...facts,
  }
}

/** Sends a request to a handler, with no socket between. */
export function send(handler: HttpHandler, target: string, sent?: Sent): Promise<HttpResponse> {
  return handler(request(target, sent))
}

/** The JSON of a response. */
export function parsed(response: HttpResponse) {
  if (typeof response.body !== 'string') throw new Error('the response has no text')
  return JSON.parse(response.body)
}
