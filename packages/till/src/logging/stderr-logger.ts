import { logLine } from './log-line.ts'
import type { Logger } from './logger.ts'

const nothing = () => {}
let writing = 0

/** Whoever read stderr may be gone: the stream says so in an `error` event, which ends a process that does not listen. */
function write(level: string, fields: object, message: string): void {
  try {
    const { stderr } = process
    const line = `${logLine(new Date(), level, fields, message)}\n`
    if (writing++ === 0) stderr.on('error', nothing)
    // The event comes after the callback.
    const done = () => {
      if (--writing === 0) stderr.off('error', nothing)
    }
    stderr.write(line, () => setImmediate(done))
  } catch {
    // There is nobody left to tell.
  }
}

/** The logger of a host that gave none: warnings and errors to stderr, a line each. Never throws. */
export const stderrLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: (fields, message) => write('warn', fields, message),
  error: (fields, message) => write('error', fields, message),
}
