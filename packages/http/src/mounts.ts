import { TillError } from '@tillkit/domain'
import type { HttpHandler, HttpRequest, HttpResponse } from './handler.ts'
import { requestId, stampRequestId } from './request/request-id.ts'
import { notFound } from './response/json.ts'

/** Handlers by the path they are mounted at: `{ '/v1': api, '/qr': qr }`. `/` takes what no other does. */
export type Mounts = Record<string, HttpHandler>

/** One handler and its prefix; the root's is empty. */
export interface Mount {
  /** The path it is mounted at, with no `/` at its end. */
  prefix: string
  /** What answers there. */
  handler: HttpHandler
}

/** Where a request goes. */
export interface FoundMount {
  /** Answers it. */
  handler: HttpHandler
  /** The path below the mount, which starts with `/`. */
  path: string
}

/**
 * Checks what an adapter is handed, a handler or several by their paths, and returns it as a table, longest prefix
 * first. Throws `TillError` `invalid_input` naming the path that is wrong.
 */
export function mountTable(mounts: HttpHandler | Mounts): Mount[] {
  if (typeof mounts === 'function') return [{ prefix: '', handler: mounts }]
  if (typeof mounts !== 'object' || mounts === null) {
    throw new TillError(
      'invalid_input',
      'handler must be a function, or an object of functions by their paths',
    )
  }
  return entriesOf(mounts)
    .map(([path, handler]) => mount(path, handler))
    .sort((a, b) => b.prefix.length - a.prefix.length)
}

function entriesOf(mounts: Mounts): [string, HttpHandler][] {
  try {
    return Object.entries(mounts)
  } catch {
    // A getter or a proxy of the host's.
    throw new TillError('invalid_input', 'handler cannot be read')
  }
}

function mount(path: string, handler: HttpHandler): Mount {
  if (typeof handler !== 'function')
    throw new TillError('invalid_input', `the handler at ${path} must be a function`)
  if (path === '/') return { prefix: '', handler }
  if (/^(?:\/[^/?#\s]+)+$/.test(path)) return { prefix: path, handler }
  throw new TillError(
    'invalid_input',
    `the path ${path} must start with / and have no / at its end, no ? and no #`,
  )
}

/**
 * The handler at `path` and the path below its mount, or undefined. A prefix ends where a segment does: `/v1` has
 * `/v1` and `/v1/payments`, not `/v10`.
 */
export function findMount(table: readonly Mount[], path: string): FoundMount | undefined {
  for (const { prefix, handler } of table) {
    if (!path.startsWith(prefix)) continue
    const below = path.slice(prefix.length)
    if (below === '') return { handler, path: '/' }
    if (below.startsWith('/')) return { handler, path: below }
  }
  return undefined
}

/** The answer of an adapter to a path that nothing is mounted at. */
export function notMounted(request: Pick<HttpRequest, 'headers'>): HttpResponse {
  const response = notFound()
  stampRequestId(requestId(request), response)
  return response
}
