import type { Storage } from '@tillkit/storage'
import type { WorkerStanding } from './webhooks/worker/standing.ts'

/** What a till is about in this process. */
export interface TillStanding {
  /** True from the moment that `close` was called. */
  closing: boolean
  /** How its delivery worker is. */
  worker: WorkerStanding
}

/** Whether all migrations are done. A store that does not tell is only asked something, to see that it answers. */
export async function migrated(storage: Storage): Promise<boolean> {
  if (storage.migrated) return storage.migrated()
  await (storage.time ? storage.time() : storage.merchants.list({ limit: 1 }))
  return true
}
