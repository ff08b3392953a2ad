import { z } from 'zod'
import type { HttpResponse } from './handler.ts'
import { errorObject } from './json.ts'

/** `off` answers plain HTTP as well: for local work. */
export type HttpsOption = 'required' | 'off'

export const httpsOption = z.enum(['required', 'off'], "must be 'required' or 'off'")

/** The answer to plain HTTP (specification 5.2 and 7.3). */
export function httpsRequired(): HttpResponse {
  return errorObject(403, 'HTTPS is required')
}
