import { AddressRefused } from './addresses/address-refused.ts'
import { EndlessAnswer, TimedOut } from './exchange.ts'

const TEXTS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  EPIPE: 'connection closed',
  UND_ERR_SOCKET: 'connection closed',
  EHOSTUNREACH: 'host cannot be reached',
  ENETUNREACH: 'host cannot be reached',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name lookup failed',
  EPROTO: 'TLS failed',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
  UND_ERR_HEADERS_OVERFLOW: 'answered with too many headers',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'answered with a length that is not its own',
}

/** For what undici hangs up on by itself it has a message and no code of its own. */
const HUNG_UP: Record<string, string> = {
  'bad response': 'answered with 100 Continue, which was not asked for',
  'bad upgrade': 'answered in another protocol',
}

/** Why an attempt got no answer, in a few words that are fit to show and name nothing of the URL but its address. */
export function failureText(error: unknown, timeoutSeconds: number): string {
  if (error instanceof TimedOut) return `timed out after ${timeoutSeconds} s`
  if (error instanceof EndlessAnswer) return 'answered with too many informational answers'
  if (error instanceof AddressRefused) return error.message
  if (error instanceof Error && error.name === 'HTTPParserError') return 'answered with what is not HTTP'
  if (error instanceof Error && Object.hasOwn(HUNG_UP, error.message)) return HUNG_UP[error.message] as string
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string') return 'could not be sent'
  if (Object.hasOwn(TEXTS, code)) return TEXTS[code] as string
  if (/CERT|ISSUER|SIGNATURE/.test(code)) return `certificate not accepted (${code})`
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) return 'TLS failed'
  return `could not be sent (${code})`
}
