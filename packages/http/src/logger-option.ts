import type { Logger } from '@tillkit/till'
import { z } from 'zod'

/** The option `logger` of what is mounted on a till: `loggerFor` of `@tillkit/till` makes one of it that never throws. */
export const loggerOption = z.custom<Pick<Logger, 'warn' | 'error'> | false>(
  value =>
    value === false ||
    ['warn', 'error'].every(level => typeof (value as Record<string, unknown>)?.[level] === 'function'),
  'must be a logger (it needs warn, error), or false for silence',
)
