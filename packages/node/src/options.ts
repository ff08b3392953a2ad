import { TillError } from '@tillkit/http'
import { compileTrust, type Trust, type TrustProxy } from './trust-proxy.ts'

/** What `toNode` takes beside the handlers. */
export interface NodeOptions {
  /** Which proxies are believed about the client's address and protocol: none when left out. */
  trustProxy?: TrustProxy
  /** Hears of errors that a handler of the host's own throws; stderr when left out, `false` is silence. Never handed a header. */
  logger?: ErrorLogger | false
}

/** The part of a logger that is needed: pino's shape. */
export interface ErrorLogger {
  /** What went wrong. */
  error(fields: object, message: string): void
}

/** Checks the options of `toNode`. Throws `TillError` `invalid_input` naming the one that is wrong. */
export function checkOptions(options: NodeOptions): {
  trust: Trust | null
  logger: ErrorLogger | false | undefined
} {
  try {
    return read(options)
  } catch (error) {
    if (error instanceof TillError) throw error
    return refuse('the options of toNode cannot be read') // a getter or a proxy of the host's throws
  }
}

function read(options: NodeOptions): ReturnType<typeof checkOptions> {
  if (typeof options !== 'object' || options === null) refuse('the options of toNode must be an object')
  const { trustProxy, logger, ...others } = options
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) refuse(`${unknown} is not a known name of the options of toNode`)
  if (logger !== undefined && logger !== false && typeof logger?.error !== 'function') {
    refuse('logger must be a logger (it needs error), or false for silence')
  }
  return { trust: compileTrust(trustProxy), logger }
}

function refuse(message: string): never {
  throw new TillError('invalid_input', message)
}
