/** The code that a driver or Node put on an error; empty where there is none. */
export function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

/** True for the errors with which Node says that a connection was not made, or broke. */
export function isBrokenConnection(error: unknown): boolean {
  return NETWORK.has(errorCode(error))
}

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOENT',
])
