import { parseArgs } from 'node:util'

export interface Flags {
  port: number
  /** The SQLite file. */
  data: string
  /** Start over with new data. */
  reset: boolean
  /** Print the addresses and keys, but not each payment and webhook. */
  quiet: boolean
}

export const USAGE = 'usage: npm run demo -- [--port PORT] [--data FILE] [--reset] [--quiet]'

/** A command line that cannot be run as it is. */
export class UsageError extends Error {}

export function parseFlags(argv: string[]): Flags {
  const { port, data, reset, quiet } = parse(argv)
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--port must be 0 to 65535, not ${port}`)
  if (data === '') throw new UsageError('--data must name a file')
  return { port: Number(port), data, reset, quiet }
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      options: {
        port: { type: 'string', default: '8787' },
        data: { type: 'string', default: 'tillkit-demo.db' },
        reset: { type: 'boolean', default: false },
        quiet: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new UsageError((error as Error).message.split('.')[0])
  }
}
