import { validate } from '@tillkit/domain'
import type { Logger } from '@tillkit/till'
import { z } from 'zod'

/** What `toFetch` takes beside the handlers. */
export interface FetchOptions {
  /** Hears of errors that a handler of the host's own throws: pino's shape; stderr when left out, `false` is silence. Never handed a header. */
  logger?: Pick<Logger, 'error'> | false
}

const fetchOptions = z.strictObject({
  logger: z
    .custom<Pick<Logger, 'error'> | false>(
      value => value === false || typeof (value as Logger | undefined)?.error === 'function',
      'must be a logger (it needs error), or false for silence',
    )
    .optional(),
})

/** Checks the options of `toFetch`. Throws `TillError` `invalid_input` naming the one that is wrong. */
export function checkFetchOptions(options: FetchOptions): FetchOptions {
  return validate(fetchOptions, options, 'the options of toFetch')
}
