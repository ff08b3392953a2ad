import { setTimeout as sleep } from 'node:timers/promises'
import type { Storage } from '@tillkit/storage'
import { type ConnectionMessage, connectionChannel } from '@tillkit/storage/channels'

/** Reads a payment of the merchant's until that is asked of the node that has it. */
export async function goesStraight(storage: Storage, merchantId: string): Promise<void> {
  let straight = false
  const hear = (message: unknown) => {
    straight ||= (message as ConnectionMessage).pool.name.startsWith('tillkit node ')
  }
  connectionChannel.asyncEnd.subscribe(hear)
  while (!straight) {
    await storage.payments.get({ merchantId, id: 1 })
    await sleep(20)
  }
  connectionChannel.asyncEnd.unsubscribe(hear)
}
