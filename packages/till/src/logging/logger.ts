/** Where log lines go: pino's shape, of which any logger has at least this. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const satisfies (keyof Logger)[]
