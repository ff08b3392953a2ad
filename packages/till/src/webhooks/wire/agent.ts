import { Agent } from 'undici'
import type { WebhookOptions } from '../../options.ts'
import { createConnector, type Resolve } from './dial.ts'
import { createAddressCheck } from './public-address.ts'

/** Keeps connections to receivers, as many to each as `connections`, at addresses that `options` allow. */
export function createAgent(
  options: WebhookOptions,
  timeoutSeconds: number,
  connections: number,
  resolve: Resolve | undefined,
): Agent {
  const connect = createConnector(createAddressCheck(options), timeoutSeconds, resolve)
  return new Agent({ connect, connections, pipelining: 1 })
}
