import type { DatabaseStorage } from './database-storage.ts'
import { callCurrent, forwarding } from './forwarding.ts'
import { TransactionScope } from './session/transactions/transaction-scope.ts'

/**
 * A storage that is made with its first call: what writes queries is hundreds of modules, which a process that only imports
 * a storage need not wait for. What `load` returns is asked for the storage at each call.
 */
export function loadedAtFirstUse(load: () => Promise<() => DatabaseStorage>): DatabaseStorage {
  const opened = onceLoaded(load)
  const scope = new TransactionScope()
  const loaded = () => {
    const current = opened()
    return current instanceof Promise ? current.then(storage => storage()) : current()
  }
  return {
    ...forwarding(loaded),
    migrate: async options => (await loaded()).migrate(options),
    migrationsLeft: () => callCurrent(loaded, storage => storage.migrationsLeft()),
    transaction: work =>
      callCurrent(loaded, storage => storage.transaction(inside => scope.run(() => work(inside)))),
    async close() {
      scope.assertOutside(
        'storage.close() would wait for the transaction that it is called in: call it once that has ended',
      )
      await (await loaded()).close()
    },
  }
}

/** What `load` loads, once, with no wait from then on; what could not be read for want of files or memory is tried again. */
export function onceLoaded<Loaded extends object>(
  load: () => Promise<Loaded>,
): () => Loaded | Promise<Loaded> {
  let loaded: Loaded | Promise<Loaded> | undefined
  const kept = (found: Loaded) => {
    loaded = found
    return found
  }
  const forgotten = (error: unknown) => {
    loaded = undefined
    throw error
  }
  return () => {
    loaded ??= load().then(kept, forgotten)
    return loaded
  }
}
