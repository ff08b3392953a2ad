import { NoAnswer, type Transport } from './question.ts'

/** Sends by a `fetch`, such as that of a host in the same process. */
export function fetchTransport(fetch: typeof globalThis.fetch, timeoutSeconds: number): Transport {
  return async ({ method, url, headers, body }) => {
    try {
      const signal = AbortSignal.timeout(timeoutSeconds * 1000)
      const sent = { ...headers, 'accept-encoding': 'identity' }
      const request = new Request(url, {
        method,
        headers: sent,
        body: body ?? null,
        redirect: 'manual',
        signal,
      })
      const response = await fetch(request)
      const names = new Map<string, string[]>()
      for (const [name, value] of response.headers) names.set(name, [...(names.get(name) ?? []), value])
      return { status: response.status, headers: names, body: new Uint8Array(await response.arrayBuffer()) }
    } catch (error) {
      throw new NoAnswer(error instanceof Error ? error.message : String(error), { cause: error })
    }
  }
}
