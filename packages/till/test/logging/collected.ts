import type { Logger } from '@tillkit/till'

/** A logger, and what it was told. */
export function collected() {
  const lines: [level: keyof Logger, fields: object, message: string][] = []
  const at = (level: keyof Logger) => (fields: object, message: string) => {
    lines.push([level, fields, message])
  }
  const logger: Logger = { debug: () => {}, info: () => {}, warn: at('warn'), error: at('error') }
  return { logger, lines }
}
