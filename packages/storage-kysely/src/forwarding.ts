import type { Storage, StorageInspection } from '@tillkit/storage'
import { LaidOutAnew } from './schema/in-place.ts'

type Stores = Omit<Required<Storage>, 'time' | 'migrated' | 'inspect' | 'inTransaction'>

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
    idRange: true,
    walk: true,
    pendingSince: true,
  },
  cashUps: { create: true, list: true, payments: true },
  reports: { period: true, takings: true },
  settlements: {
    begin: true,
    find: true,
    settle: true,
    unsettled: true,
    finish: true,
    list: true,
    get: true,
  },
  deliveries: {
    claim: true,
    record: true,
    release: true,
    requeue: true,
    requeueRange: true,
    repairDates: true,
    get: true,
    list: true,
    attempts: true,
    counts: true,
    purge: true,
  },
  endpoints: { get: true, pause: true, wake: true, repairDates: true, failing: true, paused: true },
}

type Store = Record<string, (...given: unknown[]) => Promise<unknown>>

/** Calls what `current` returns; and what it returns then, where the tables were found to lie otherwise. */
export async function callCurrent<Made, Result>(
  current: () => Made | Promise<Made>,
  call: (made: Made) => Promise<Result>,
): Promise<Result> {
  const made = current()
  try {
    return await call(made instanceof Promise ? await made : made)
  } catch (error) {
    if (!(error instanceof LaidOutAnew)) throw error
    return call(await current())
  }
}

/** The port, whose every call goes to the storage that `current` returns then. */
export function forwarding(
  current: () => Storage | Promise<Storage>,
): Required<Omit<Storage, 'inTransaction'>> {
  const storeOf = (name: keyof Stores): Store => {
    const calls = Object.keys(CALLS[name]).map(call => [
      call,
      (...given: unknown[]) =>
        callCurrent(
          current,
          storage => (storage[name] as unknown as Store)[call]?.(...given) as Promise<unknown>,
        ),
    ])
    return Object.fromEntries(calls)
  }
  const stores = Object.keys(CALLS).map(name => [name, storeOf(name as keyof Stores)])
  return {
    ...(Object.fromEntries(stores) as Stores),
    time: () => callCurrent(current, storage => storage.time?.() as Promise<Date>),
    migrated: () => callCurrent(current, storage => storage.migrated?.() as Promise<boolean>),
    inspect: request =>
      callCurrent(current, storage => storage.inspect?.(request) as Promise<StorageInspection>),
  }
}
