import { NoAnswer, type Transport } from './question.ts'

/** Sends by a `fetch`, such as that of a host in the same process. */
export function fetchTransport(fetch: typeof globalThis.fetch, timeoutSeconds: number): Transport {
  return async ({ method, url, headers, body: sent }) => {
    const controller = new AbortController()
    const { signal } = controller
    let limit: NodeJS.Timeout | undefined
    // A host's own `fetch` need not heed a signal.
    const late = new Promise<never>((_, reject) => {
      limit = setTimeout(() => {
        reject(new NoAnswer(`no answer within ${timeoutSeconds} s`))
        controller.abort()
      }, timeoutSeconds * 1000)
    })
    const received = async () => {
      const request = new Request(url, {
        method,
        headers: { ...headers, 'accept-encoding': 'identity' },
        body: sent ?? null,
        redirect: 'manual',
        signal,
      })
      const response = await fetch(request)
      const names = new Map<string, string[]>()
      for (const [name, value] of response.headers) names.set(name, [...(names.get(name) ?? []), value])
      return { status: response.status, headers: names, body: new Uint8Array(await response.arrayBuffer()) }
    }
    try {
      return await Promise.race([received(), late])
    } catch (error) {
      if (error instanceof NoAnswer) throw error
      throw new NoAnswer(error instanceof Error ? error.message : String(error), { cause: error })
    } finally {
      clearTimeout(limit)
    }
  }
}
