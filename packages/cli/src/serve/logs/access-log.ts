import { pathForLogs } from '@tillkit/checkout'
import { type HttpHandler, type Mounts, notMounted } from '@tillkit/http'
import type { Logger } from '@tillkit/till'

const LONGEST = 512

/**
 * The same handlers, with a line a request in the log: what was asked for, without its query, which customers' references are
 * in, nor what holds one on the way back from a bank, and without a header, which keys are in.
 */
export function withAccessLog(mounts: Mounts, logger: Logger): Mounts {
  const all: Mounts = { '/': async request => notMounted(request), ...mounts }
  return Object.fromEntries(
    Object.entries(all).map(([prefix, handler]) => [
      prefix,
      logged(prefix === '/' ? '' : prefix, handler, logger),
    ]),
  )
}

function logged(prefix: string, handler: HttpHandler, logger: Logger): HttpHandler {
  return async request => {
    const begun = performance.now()
    const response = await handler(request)
    const { method, path, remoteAddress } = request
    logger.info(
      {
        method,
        path: `${prefix}${prefix === '/qr' ? pathForLogs(path) : path}`.slice(0, LONGEST),
        status: response.status,
        milliseconds: Math.round((performance.now() - begun) * 10) / 10,
        requestId: response.headers['X-Request-Id'],
        remoteAddress,
      },
      'request',
    )
    return response
  }
}
