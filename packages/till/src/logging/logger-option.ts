import { z } from 'zod'
import { LEVELS, type Logger } from './logger.ts'
import { safeLogger } from './safe-logger.ts'

/** The option `logger`, checked and wrapped at once, so that no other code ever calls the host's own. */
export const loggerOption = z
  .custom<Logger | false>(
    value =>
      value === false ||
      LEVELS.every(level => typeof (value as Partial<Logger> | null)?.[level] === 'function'),
    `must be a logger (it needs ${LEVELS.join(', ')}), or false for silence`,
  )
  .transform(safeLogger)
