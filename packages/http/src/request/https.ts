import type { Logger } from '@tillkit/till'
import { z } from 'zod'
import type { HttpRequest, HttpResponse } from '../handler.ts'
import { errorObject } from '../response/json.ts'

/** `off` answers plain HTTP as well: for local work. */
export type HttpsOption = 'required' | 'off'

/** Checks an option `https`. */
export const httpsOption = z.enum(['required', 'off'], "must be 'required' or 'off'")

/** The answer to plain HTTP (API 5.2 and 7.3). */
export function httpsRequired(): HttpResponse {
  return errorObject(403, 'https_required', 'HTTPS is required')
}

/** How proxies say that their client came over HTTPS. */
const SIGNS: [header: string, sign: RegExp][] = [
  ['X-Forwarded-Proto', /https/i],
  ['Forwarded', /proto="?https/i],
  ['X-Forwarded-Protocol', /https/i],
  ['X-Forwarded-Scheme', /https/i],
  ['X-Url-Scheme', /https/i],
  ['CloudFront-Forwarded-Proto', /https/i],
  ['X-Forwarded-Ssl', /^on$/i],
  ['Front-End-Https', /^on$/i],
  ['CF-Visitor', /https/i],
]

/** Of the headers themselves only so much is looked at. */
const LOOKED_AT = 256

/**
 * Tells which requests are to be refused for coming over plain HTTP. The first one that a proxy says was HTTPS is warned
 * of, once: most likely the proxy is the host's own, and is not trusted yet.
 */
export function httpsGuard(
  https: HttpsOption,
  logger: Pick<Logger, 'warn'>,
): (request: HttpRequest) => boolean {
  let warned = false
  return ({ secure, headers }) => {
    if (secure || https === 'off') return false
    if (warned) return true
    const seen = SIGNS.find(([name, sign]) =>
      sign.test(headers[name.toLowerCase()]?.slice(0, LOOKED_AT) ?? ''),
    )
    if (seen === undefined) return true
    warned = true
    logger.warn(
      { header: seen[0] },
      `a request was refused with 403 although ${seen[0]} says that it came over HTTPS: a proxy that ends TLS has to be ` +
        'trusted, with the option trustProxy of toNode and of Fastify, the setting `trust proxy` of Express, or ' +
        '{ secure } for toFetch; X-Forwarded-Proto is what they read',
    )
    return true
  }
}
