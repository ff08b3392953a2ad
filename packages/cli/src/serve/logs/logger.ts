import { setTimeout as sleep } from 'node:timers/promises'
import pino, { type Logger } from 'pino'
import type { Surroundings } from '../../program/surroundings.ts'
import type { Values } from '../../settings/settings.ts'

/** Where the lines of a command that goes on go: JSON, a line each, to stderr. */
export interface Log {
  logger: Logger
  /** Resolves when all lines are written, or nobody has read them for a while. */
  flush(): Promise<void>
}

/** So much may wait for whoever reads the log; what comes beside it is dropped, since memory is not for it. */
const MOST_WAITING = 16 * 1024 * 1024

const PATIENCE = 2000

/** Lines are written beside the work: a pipe that nobody empties holds nothing up. */
export function createLog({ stderr }: Surroundings, { logLevel = 'info' }: Values): Log {
  const own = stderr === process.stderr
  const destination = pino.destination({ fd: 2, sync: false, maxLength: MOST_WAITING })
  // Whoever read it has gone: there is nobody left to tell.
  destination.on('error', () => {})
  const options: pino.LoggerOptions = {
    level: logLevel,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: pino.stdSerializers.err },
  }
  return {
    logger: own ? pino(options, destination) : pino(options, stderr),
    async flush() {
      if (!own) return
      const written = new Promise<void>(resolve => destination.flush(() => resolve()))
      await Promise.race([written, sleep(PATIENCE, undefined, { ref: false })])
    },
  }
}
