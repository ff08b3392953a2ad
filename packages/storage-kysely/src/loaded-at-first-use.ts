import type { Storage } from '@tillkit/storage'
import type { DatabaseStorage } from './database-storage.ts'

type Stores = Omit<Required<Storage>, 'time' | 'inTransaction'>

/** Every call of the port. */
const CALLS: { [Store in keyof Stores]: Record<keyof Stores[Store], true> } = {
  merchants: {
    create: true,
    get: true,
    update: true,
    suspend: true,
    resume: true,
    list: true,
    setWebhookKey: true,
  },
  apiKeys: { add: true, findMerchant: true, list: true, revoke: true },
  scanCodes: { add: true, find: true, list: true, suspend: true, resume: true },
  payments: {
    start: true,
    resolve: true,
    settle: true,
    repairDates: true,
    get: true,
    findAttempt: true,
    list: true,
    pendingSince: true,
  },
  cashUps: { create: true, list: true, payments: true },
  deliveries: {
    claim: true,
    record: true,
    release: true,
    requeue: true,
    requeueRange: true,
    repairDates: true,
    list: true,
    attempts: true,
    counts: true,
    purge: true,
  },
  endpoints: { get: true, pause: true, wake: true, repairDates: true, paused: true },
}

type Store = Record<string, (...given: unknown[]) => Promise<unknown>>

/**
 * A storage that is made with its first call: what writes queries is hundreds of modules, which a process that only imports
 * a storage need not wait for.
 */
export function loadedAtFirstUse(load: () => Promise<DatabaseStorage>): DatabaseStorage {
  let loading: Promise<DatabaseStorage> | undefined
  const loaded = () => {
    // What could not be read for want of files or memory is tried again.
    loading ??= load().catch(error => {
      loading = undefined
      throw error
    })
    return loading
  }

  const storeOf = (name: keyof Stores): Store => {
    const calls = Object.keys(CALLS[name]).map(call => [
      call,
      async (...given: unknown[]) => ((await loaded())[name] as unknown as Store)[call]?.(...given),
    ])
    return Object.fromEntries(calls)
  }
  const stores = Object.keys(CALLS).map(name => [name, storeOf(name as keyof Stores)])

  return {
    ...(Object.fromEntries(stores) as Stores),
    time: async () => (await loaded()).time?.() as Promise<Date>,
    migrate: async () => (await loaded()).migrate(),
    transaction: async work => (await loaded()).transaction(work),
    close: async () => (await loaded()).close(),
  }
}
