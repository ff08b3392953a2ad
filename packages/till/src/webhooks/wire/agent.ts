import { Agent } from 'undici'
import type { WebhookOptions } from '../../options.ts'
import { createAddressCheck } from './addresses/public-address.ts'
import { createConnector } from './dial.ts'
import type { Resolve } from './names/address.ts'

/** Keeps connections to receivers, as many to each as `connections`, at addresses that `options` allow; `closed` ends what is looked up. */
export function createAgent(
  options: WebhookOptions,
  timeoutSeconds: number,
  connections: number,
  closed: AbortSignal,
  resolve: Resolve | undefined,
): Agent {
  const connect = createConnector(createAddressCheck(options), timeoutSeconds, closed, resolve)
  return new Agent({ connect, connections, pipelining: 1 })
}
