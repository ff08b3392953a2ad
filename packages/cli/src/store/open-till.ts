import type { DatabaseStorage } from '@tillkit/storage-kysely'
import type { Till, TillOptions } from '@tillkit/till'
import type { Values } from '../settings/settings.ts'

/** What of `createTill`'s options the settings say. */
export async function openTill(
  storage: DatabaseStorage,
  { secrets, webhookHttp, webhookNetworks }: Values,
  logger?: TillOptions['logger'],
): Promise<Till> {
  const { createTill } = await import('@tillkit/till')
  return createTill({
    storage,
    ...(logger !== undefined && { logger }),
    ...(secrets && { secrets }),
    webhooks: {
      ...(webhookHttp && { allowHttp: true }),
      ...(webhookNetworks && { allowedNetworks: webhookNetworks }),
    },
  })
}
