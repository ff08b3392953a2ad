import type { HttpRequest } from '../handler.ts'
import { RequestError } from '../request/request-error.ts'
import type { BodyLimits } from './body-limits.ts'

/** What a handler allows a form to cost. */
export interface FormLimits extends BodyLimits {
  /** 16 KiB when left out. */
  bytes?: number
  /** At most so many `name=value`: 100 when left out. */
  fields?: number
}

const AMPERSAND = 38

/**
 * Reads a form, `application/x-www-form-urlencoded`. Its size and its number of fields are looked at before anything is
 * decoded. Rejects with `RequestError` (`invalid_input`): 413 too large, 408 too slow, 400 too many fields.
 */
export async function readForm(request: HttpRequest, limits: FormLimits = {}): Promise<URLSearchParams> {
  const { bytes = 16 * 1024, fields = 100, seconds } = limits
  const body = await request.body({ bytes, seconds })
  if (!hasAtMost(body, fields)) {
    throw new RequestError(400, `the form must not have more than ${fields} fields`)
  }
  return new URLSearchParams(new TextDecoder().decode(body))
}

/** Whether there are at most so many pairs, empty ones included. */
function hasAtMost(body: Uint8Array, fields: number): boolean {
  let pairs = 1
  for (let at = body.indexOf(AMPERSAND); at >= 0; at = body.indexOf(AMPERSAND, at + 1)) {
    if (++pairs > fields) return false
  }
  return true
}
