import type { EndpointHealth, Merchant } from '@tillkit/till'

/** How the endpoint of a merchant's webhooks is. */
export type EndpointState = 'active' | 'failing' | 'paused' | 'none'

export function endpointState(
  { webhookUrl }: Merchant,
  { failingSince, pausedAt }: Pick<EndpointHealth, 'failingSince' | 'pausedAt'>,
): EndpointState {
  if (pausedAt) return 'paused'
  if (failingSince) return 'failing'
  return webhookUrl === null ? 'none' : 'active'
}
