import { type AskingOptions, checkedNumber, TIMEOUT_SECONDS } from '../options.ts'
import { fetchTransport } from './fetch-transport.ts'
import { nodeTransport } from './node-transport.ts'
import type { Transport } from './question.ts'

/** A way to send, and to be done with it. */
export interface OpenTransport {
  send: Transport
  close(): void
}

/** Opens what the options say: their `fetch`, or connections over the network. */
export function openTransport({ fetch, timeoutSeconds, ca, insecure }: AskingOptions): OpenTransport {
  const seconds = checkedNumber('timeoutSeconds', timeoutSeconds, TIMEOUT_SECONDS)
  if (fetch !== undefined) return { send: fetchTransport(fetch, seconds), close: () => {} }
  const tls = { ...(ca !== undefined && { ca }), ...(insecure && { rejectUnauthorized: false }) }
  const send = nodeTransport({ timeoutSeconds: seconds, tls })
  return { send, close: send.close }
}
