/** Where log lines go: pino's shape, of which any logger has at least this. */
export interface Logger {
  /** What is of use only to whoever looks for a fault. */
  debug(fields: object, message: string): void
  /** What is good to know. */
  info(fields: object, message: string): void
  /** What somebody should look at; nothing was lost. */
  warn(fields: object, message: string): void
  /** What went wrong. */
  error(fields: object, message: string): void
}

/** All levels, the least first. */
export const LEVELS = ['debug', 'info', 'warn', 'error'] as const satisfies (keyof Logger)[]
