import { LEVELS, type Logger } from './logger.ts'
import { stderrLogger } from './stderr-logger.ts'

const nothing = () => {}
const silent: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing }
const safe = new WeakSet<Logger>([silent, stderrLogger])

/**
 * A host's logger as Tillkit calls it: never throws, whatever the host's does, and a promise of its that rejects is
 * caught. A warning or an error that it failed to take goes to stderr. Levels it does not have are silent, and so are all
 * where it is `false`.
 */
export function safeLogger(logger: Partial<Logger> | false): Logger {
  if (logger === false) return silent
  if (safe.has(logger as Logger)) return logger as Logger
  const made: Logger = { ...silent }
  for (const level of LEVELS) {
    if (typeof logger[level] === 'function') made[level] = safeCall(logger, level)
  }
  safe.add(made)
  return made
}

function safeCall(logger: Partial<Logger>, level: keyof Logger): Logger[keyof Logger] {
  return (fields, message) => {
    const refused = () => stderrLogger[level](fields, message)
    try {
      const answer: unknown = logger[level]?.(fields, message)
      if (typeof answer === 'object' && answer !== null && 'then' in answer) {
        Promise.resolve(answer).catch(refused)
      }
    } catch {
      refused()
    }
  }
}

/**
 * The logger of what is mounted on a till: `given` where the host gave one there (`false` is silence), the till's own
 * otherwise. Never throws.
 */
export function loggerFor(
  given: Partial<Logger> | false | undefined,
  till?: {
    /** Where the till's own lines go. */
    logger?: Logger | undefined
  },
): Logger {
  return given === undefined ? safeLogger(till?.logger ?? stderrLogger) : safeLogger(given)
}
