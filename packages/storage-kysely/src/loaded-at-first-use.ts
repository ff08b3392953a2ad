import type { DatabaseStorage } from './database-storage.ts'
import { forwarding } from './forwarding.ts'

/**
 * A storage that is made with its first call: what writes queries is hundreds of modules, which a process that only imports
 * a storage need not wait for. What `load` returns is asked for the storage at each call.
 */
export function loadedAtFirstUse(load: () => Promise<() => DatabaseStorage>): DatabaseStorage {
  let loading: Promise<() => DatabaseStorage> | undefined
  const loaded = async () => {
    // What could not be read for want of files or memory is tried again.
    loading ??= load().catch(error => {
      loading = undefined
      throw error
    })
    const current = await loading
    return current()
  }
  return {
    ...forwarding(loaded),
    migrate: async options => (await loaded()).migrate(options),
    transaction: async work => (await loaded()).transaction(work),
    close: async () => (await loaded()).close(),
  }
}
