import { join } from 'node:path'
import { createTill, type Payments, type Till } from '@tillkit/till'
import { type Address, storageAt } from '../engines/address.ts'
import type { Entry } from '../journal/entry.ts'
import { entriesIn, type Journal, openJournal } from '../journal/journal.ts'
import { type Crew, createCrew, type Member } from '../processes/crew.ts'
import type { HostOrders } from '../processes/host.ts'
import type { ReceiverOrders } from '../processes/receiver.ts'
import type { ShopOrders } from '../processes/shop.ts'
import type { WorkerOrders } from '../processes/worker.ts'
import { until } from '../until.ts'

/** A lease of a worker here, in seconds, and how long a receiver may take. */
const TIMEOUT_SECONDS = 0.5
export const LEASE_SECONDS = 3 * TIMEOUT_SECONDS + 1

const MERCHANTS = [
  { id: 'cafe', scanCode: 'counter' },
  { id: 'books', scanCode: 'shelf' },
]

type Lookup = Parameters<Payments['reconcile']>[0]

/** A database with merchants, a receiver of their webhooks, and whoever a campaign starts beside. */
export interface Scene {
  address: Address
  folder: string
  till: Till
  crew: Crew
  merchants: typeof MERCHANTS
  shops: Member[]
  workers: Member[]
  hosts: Member[]
  /** Starts processes; those of databases by way of `address`, or straight. */
  startShop(address?: Address): Promise<Member>
  startWorker(address?: Address): Promise<Member>
  startHost(bankUrl: string): Promise<Member>
  /** Waits until so much more was done, by anybody. */
  progress(more: number): Promise<void>
  /** What became of a payment that nobody gave an outcome: completed, unless a campaign knows better. */
  lookup: Lookup
  /** What the campaign itself saw and asked for. */
  journal: Journal
  /** Everything that anybody wrote down. */
  entries(): Entry[]
  close(): Promise<void>
}

export interface SceneOptions {
  /** Where journals go. */
  folder: string
  seed: number
  signal: AbortSignal
  /** How moody the receiver of webhooks is, 0 to 1. */
  moody?: number | undefined
  /** After how many calls a process writes down its heap; null for never. */
  sampleEvery?: number | null | undefined
}

/** Opens a scene in an empty database. */
export async function openScene(
  address: Address,
  { folder, seed, signal, moody = 0.1, sampleEvery = null }: SceneOptions,
): Promise<Scene> {
  const storage = storageAt(address)
  const till = createTill({
    storage,
    logger: silent,
    webhooks: { allowHttp: true, allowPrivateAddresses: true },
  })
  const crew = createCrew(folder, seed, signal)
  const file = join(folder, 'campaign.journal')
  const journal = openJournal(file)
  const shops: Member[] = []
  const workers: Member[] = []
  const hosts: Member[] = []
  let names = 0
  const close = async () => {
    await crew.close()
    journal.close()
    await till.close()
    await storage.close()
  }

  try {
    await storage.migrate()
    const receiver = await crew.start<ReceiverOrders>('receiver', { moody })
    const keys: Record<string, string> = {}
    for (const { id, scanCode } of MERCHANTS) {
      const webhookUrl = `http://127.0.0.1:${receiver.port}/${id}`
      await till.merchants.create({ id, name: id, webhookUrl })
      await till.scanCodes.create(id, { code: scanCode })
      keys[id] = await till.merchants.issueWebhookKey(id)
    }
    receiver.tell({ keys })
  } catch (error) {
    await close()
    throw error
  }

  const scene: Scene = {
    ...{ address, folder, till, crew, merchants: MERCHANTS, shops, workers, hosts, journal },
    lookup: () => ({ status: 'completed' }),
    entries: () => [...crew.entries(), ...entriesIn(file)],
    close,

    async startShop(at = address) {
      const name = `shop-${++names}`
      const shop = await crew.start<ShopOrders>('shop', {
        ...{ address: at, name, merchants: MERCHANTS, lanes: 3, pause: 150, sampleEvery },
      })
      shops.push(shop)
      return shop
    },

    async startWorker(at = address) {
      const worker = await crew.start<WorkerOrders>('worker', {
        address: at,
        timeoutSeconds: TIMEOUT_SECONDS,
        sampleEvery,
      })
      workers.push(worker)
      return worker
    },

    async startHost(bankUrl) {
      const host = await crew.start<HostOrders>('host', { address, bankUrl, timeoutSeconds: TIMEOUT_SECONDS })
      hosts.push(host)
      return host
    },

    async progress(more) {
      const goal = crew.count().done + more
      const moving = () => crew.count().done
      await until(() => moving() >= goal || crew.casualties.length > 0, 'anything to be done', {
        signal,
        moving,
      })
      crew.mourn()
    },
  }
  return scene
}

const nothing = () => {}
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing }
