import { ApiError } from '../api-error.ts'
import type { Settings } from '../settings.ts'
import { readBody } from './read-body.ts'
import type { ApiRequest } from './request.ts'

/** What came: the status, the headers and the whole body, null where that is too long to be the API's. */
export interface Received {
  status: number
  headers: Headers
  body: string | null
  /** Whether the browser kept a redirect to itself. */
  redirected: boolean
}

/**
 * Sends a request once, and reads the whole answer. Rejects with the signal's reason, or with an `ApiError` `network` or
 * `timeout`.
 */
export async function attempt(
  { method, url, path, headers }: ApiRequest,
  { fetch, redacted }: Settings,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<Received> {
  const controller = new AbortController()
  let late = false
  const stop = () => controller.abort(signal?.reason)
  const timer = setTimeout(() => {
    late = true
    controller.abort()
  }, milliseconds)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    if (signal?.aborted) throw signal.reason
    return await Promise.race([
      receive(fetch(url, { method, headers, redirect: 'manual', ...QUIETLY, signal: controller.signal })),
      aborted(controller.signal),
    ])
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (late)
      throw new ApiError({ status: 0, code: 'timeout', message: `No answer in time: ${method} ${path}` })
    throw new ApiError({
      status: 0,
      code: 'network',
      message: redacted(`No answer: ${method} ${path}: ${reasonOf(error)}`),
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

/** So that no browser asks its user for a name and a password where the key is wrong. Not every runtime knows it. */
const QUIETLY = 'credentials' in (globalThis.Request?.prototype ?? {}) ? { credentials: 'omit' as const } : {}

async function receive(answer: Promise<Response>): Promise<Received> {
  const response = await answer
  const redirected = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)
  if (redirected) {
    await response.body?.cancel()
    return { status: response.status, headers: response.headers, body: '', redirected }
  }
  return { status: response.status, headers: response.headers, body: await readBody(response), redirected }
}

/** For a `fetch` of the caller's that does not heed its signal. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Node says `fetch failed`, and why in the cause. The cause itself is not handed on: others' errors may hold the request. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  const { code } = cause as Error & { code?: unknown }
  return cause.message || (typeof code === 'string' ? code : error.message)
}
