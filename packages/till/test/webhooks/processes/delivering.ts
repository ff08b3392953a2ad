import { type ChildProcess, fork } from 'node:child_process'
import { createTill } from '@tillkit/till'
import { openStorage, type Place } from './place.ts'

/** Where in a delivery a worker stops and says so, to be killed there. */
export const POINTS = [
  'before the claim',
  'before the claim commits',
  'claimed',
  'sent',
  'answered',
  'before the record commits',
  'recorded',
] as const
export type Point = (typeof POINTS)[number]

/** What a worker process is told. */
export interface Orders {
  place: Place
  /** How far its clock is ahead, in seconds, so that leases of the ones before it are over. */
  ahead: number
  /** Where it stops for good; null where it goes on. */
  stopAt: Point | null
  /** For one attempt, longer than a busy machine takes for it; a lease is three times as long, and a second. */
  timeoutSeconds: number
}

/** Starts a worker in a process of its own. */
export function deliveringProcess(orders: Orders): ChildProcess {
  return fork(import.meta.filename, [JSON.stringify(orders)], {
    execArgv: ['--conditions=@tillkit/source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

/** Resolves with the point at which the process stopped; null when it ended by itself. */
export function stopOf(child: ChildProcess): Promise<Point | null> {
  return new Promise(resolve => {
    child.once('message', message => resolve(message as Point))
    child.once('exit', () => resolve(null))
  })
}

async function deliver({ place, ahead, stopAt, timeoutSeconds }: Orders): Promise<void> {
  const storage = openStorage(place)
  const parent = process.ppid
  /** Says where it is and never goes on: the event loop stands still, as in a process that is gone, until the test is gone. */
  const reach = async (point: Point): Promise<void> => {
    if (point !== stopAt) return
    await new Promise(said => process.send?.(point, said))
    while (process.ppid === parent) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
    process.exit()
  }
  const { claim, record } = storage.deliveries
  const deliveries: typeof storage.deliveries = {
    ...storage.deliveries,
    async claim(request) {
      await reach('before the claim')
      const claimed =
        stopAt === 'before the claim commits'
          ? await storage.transaction(async inside => {
              const held = await inside.deliveries.claim(request)
              if (held.length > 0) await reach('before the claim commits')
              return held
            })
          : await claim(request)
      if (claimed.length > 0) await reach('claimed')
      return claimed
    },
    async record(result) {
      await reach('answered')
      const written =
        stopAt === 'before the record commits'
          ? await storage.transaction(async inside => {
              const inTime = await inside.deliveries.record(result)
              await reach('before the record commits')
              return inTime
            })
          : await record(result)
      await reach('recorded')
      return written
    },
  }
  const till = createTill({
    storage: { ...storage, deliveries },
    logger: false,
    clock: () => new Date(Date.now() + ahead * 1000),
    webhooks: {
      allowHttp: true,
      allowPrivateAddresses: true,
      timeoutSeconds,
      retryDelays: Array(50).fill(0),
    },
  })
  till.webhooks.start()
  process.once('message', async () => {
    await till.close()
    await storage.close()
    process.disconnect()
  })
}

if (process.argv[1] === import.meta.filename) await deliver(JSON.parse(process.argv[2] ?? '') as Orders)
