import { instant, type Merchant } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { TillError } from '@tillkit/till'
import { LRUCache } from 'lru-cache'
import type { Accounts } from '../accounts.ts'
import { type LedgerName, storedId } from '../names.ts'
import type { CheckedSandboxOptions } from '../options.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { formatStanding } from './standing.ts'

/** The test ledgers of all merchants, those that are asked for open. */
export interface Ledgers {
  /** A merchant's ledger, as it is now; begun from the seed where there is none. */
  of(name: LedgerName, live: Merchant): Promise<Ledger>
  /** Closes those that are open. */
  close(): Promise<void>
}

/** Opens at most `maxMerchants` at a time. Without a storage each is kept in memory, and gone when it is closed. */
export function createLedgers(
  shared: Storage | undefined,
  accounts: Pick<Accounts, 'change'>,
  options: CheckedSandboxOptions,
): Ledgers {
  const { seed, startsAt, maxMerchants, maxPayments, maxResets, webhooks, secrets } = options
  const closing = new Set<Promise<unknown>>()
  const opened = new LRUCache<string, Promise<Ledger>>({
    max: maxMerchants,
    dispose(ledger) {
      const closed = ledger.then(open => open.close()).catch(() => {})
      closing.add(closed)
      closed.then(() => closing.delete(closed))
    },
  })

  /** False where there is one already. */
  const begin = async (
    storage: Storage,
    name: LedgerName,
    from: string,
    webhookUrl: string | null = null,
  ): Promise<boolean> => {
    const id = storedId(name)
    if ((await storage.merchants.get(id)) !== null) return false
    const now = Date.parse(startsAt)
    const merchant = {
      id,
      name: formatStanding({ seed: from, now }),
      webhookUrl,
      features: { tips: false, userReferences: false, deviceLists: false },
      createdAt: instant(new Date(now)),
    }
    try {
      await storage.merchants.create(merchant)
      return true
    } catch (error) {
      if (error instanceof TillError && error.code === 'conflict') return false
      throw error
    }
  }

  const beginNext = async (storage: Storage, name: LedgerName, live: Merchant, from: string) => {
    const place = shared ?? memoryStorage()
    const endpoint = await storage.endpoints.get(storedId(name))
    const next = { ...name }
    // One that is there was begun by another process, or by a reset that got no further: nobody knows from which seed.
    do {
      if (shared && next.generation > maxResets) {
        throw new TillError('conflict', `a sandbox can be reset ${maxResets} times: ask for an empty one`)
      }
      next.generation += 1
    } while (!(await begin(place, next, from, endpoint?.webhookUrl)))
    if (endpoint?.webhookKey) {
      const { webhookKey, previousWebhookKey: previous } = endpoint
      if (previous) await place.merchants.setWebhookKey(storedId(next), previous.key)
      await place.merchants.setWebhookKey(storedId(next), webhookKey, previous?.until ?? null)
    }
    open(place, next, live)
    await accounts.change(next)
    opened.delete(storedId(name))
  }

  const open = (storage: Storage, name: LedgerName, live: Merchant): Promise<Ledger> => {
    const id = storedId(name)
    const ledger = begin(storage, name, seed).then(() =>
      openLedger({
        ...{ storage, name, live, webhooks, secrets, maxPayments },
        reset: from => beginNext(storage, name, live, from),
      }),
    )
    opened.set(id, ledger)
    ledger.catch(() => {
      if (opened.peek(id) === ledger) opened.delete(id)
    })
    return ledger
  }

  return {
    async of(name, live) {
      const ledger = await (opened.get(storedId(name)) ?? open(shared ?? memoryStorage(), name, live))
      await ledger.refresh(live)
      return ledger
    },

    async close() {
      opened.clear()
      while (closing.size > 0) await Promise.all(closing)
    },
  }
}
