import { Buffer } from 'node:buffer'
import type { HttpResponse } from '../handler.ts'
import { errorObject } from '../response/json.ts'

const BASIC = /^basic +((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/i

/** No key is as long as this by far. */
const LONGEST = 1024

/**
 * The API key of an `Authorization` header: HTTP Basic with the key as the user name and an empty password
 * (API 5.1). Null for anything else.
 */
export function basicApiKey(authorization: string | undefined): string | null {
  if (authorization === undefined || authorization.length > LONGEST) return null
  const encoded = BASIC.exec(authorization)
  if (encoded === null) return null
  // Bytes that are no UTF-8 become U+FFFD, which no key contains.
  const pair = Buffer.from(encoded[1] as string, 'base64').toString()
  const colon = pair.indexOf(':')
  return colon > 0 && colon === pair.length - 1 ? pair.slice(0, colon) : null
}

/** The answer to a request that no key authenticates (API 5.3). */
export function unauthorised(): HttpResponse {
  return errorObject(401, 'unauthorised', 'Unauthorised', {
    'WWW-Authenticate': 'Basic realm="Tillkit", charset="UTF-8"',
  })
}
