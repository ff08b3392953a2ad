import { until } from '@tillkit/servers'
import { createTill, type Payment, type Till } from '@tillkit/till'
import { expect } from 'vitest'
import { DatabaseError, type DatabaseStorage, type MigrateOptions } from '../../src/index.ts'
import { openHook } from '../clocks/hook.ts'
import { REQUEST } from '../inspection/checked.ts'

const SHOPS = ['corner', 'market', 'station']

/** How a database is moved, step by step; each resolves when it is done. */
export interface Move {
  /** How the old database is laid out. */
  layout?: MigrateOptions
  /** A storage over the old database, and over the new one. */
  old(): DatabaseStorage
  anew(): DatabaseStorage
  /** Brings the rows over, and what is written meanwhile. */
  follow(): Promise<void>
  /** The old one takes no more writes; everything is in the new one, which stands alone from now on. */
  cutOver(): Promise<void>
}

/** Moves a database while payments are made, ended and delivered: nothing that was acknowledged is lost, and nothing happens twice. */
export async function moveUnderLoad({ layout, old, anew, follow, cutOver }: Move): Promise<void> {
  const hook = await openHook()
  const hosts: ReturnType<typeof hostOf>[] = []
  const host = (storage: DatabaseStorage) => {
    const made = hostOf(storage)
    hosts.push(made)
    return made
  }
  try {
    const before = host(old())
    await before.storage.migrate(layout)
    for (const id of SHOPS) {
      await before.till.merchants.create({ id, name: id, webhookUrl: `${hook.url}/well` })
      await before.till.scanCodes.create(id, { code: id })
    }
    before.till.webhooks.start()
    const load = underLoad(before.till)
    await load.more()
    await follow()
    await load.more()
    await load.stop()
    await before.till.close()

    const forgotten = host(old())
    await forgotten.till.payments.get('corner', 1)
    await cutOver()
    const late = forgotten.till.payments.start({ scanCode: 'corner', totalAmount: 1 })
    await expect(late).rejects.toThrow(DatabaseError)

    const { till, storage } = host(anew())
    for (const id of SHOPS) await goesOn(till, id, load.acknowledged)
    const inspected = await storage.inspect?.(REQUEST)
    expect(inspected?.findings.filter(({ level }) => level !== 'ok')).toEqual([])
    till.webhooks.start()
    await until(async () => (await till.webhooks.counts()).pending === 0)
    const sent = load.acknowledged.map(({ merchantId, id }) => `${merchantId}:${id}`)
    expect(sent.filter(one => hook.posts.get(one) !== 1)).toEqual([])
    expect(hook.posts.size).toBe(sent.length + SHOPS.length)
  } finally {
    for (const { close } of hosts) await close()
    await hook.close()
  }
}

/** Every payment of the shop is as it was acknowledged, its attempts are known, and ids and periods go on. */
async function goesOn(till: Till, id: string, acknowledged: Payment[]): Promise<void> {
  const payments = acknowledged.filter(({ merchantId }) => merchantId === id).sort((a, b) => b.id - a.id)
  const { items, total } = await till.payments.list(id, { perPage: 100 })
  expect([total, items]).toEqual([payments.length, payments.slice(0, 100)])
  const [last] = payments as [Payment]
  const again = { scanCode: id, totalAmount: last.totalAmount, attemptKey: keyOf(last) }
  expect(await till.payments.start(again)).toEqual(last)
  const next = await till.payments.start({ scanCode: id, totalAmount: 1 })
  expect(next.id).toBe(last.id + 1)
  await till.payments.complete(next)
  await till.cashUps.create(id)
}

/** A till that may deliver to this machine. */
function hostOf(storage: DatabaseStorage) {
  const till = createTill({
    storage,
    logger: false,
    webhooks: { allowHttp: true, allowPrivateAddresses: true },
  })
  const close = async () => {
    await till.close()
    await storage.close()
  }
  return { storage, till, close }
}

/** Hosts that take payments without a pause, of all shops, and now and then end a period. */
function underLoad(till: Till) {
  const acknowledged: Payment[] = []
  let over = false
  const take = async (id: string) => {
    for (let n = 0; !over; n++) {
      const attemptKey = `${id} ${n}`
      const started = await till.payments.start({ scanCode: id, totalAmount: n + 1, attemptKey })
      const end = n % 3 === 0 ? till.payments.fail : till.payments.complete
      acknowledged.push(await end(started))
      if (n % 10 === 9) await till.cashUps.create(id)
    }
  }
  const callers = Promise.all(SHOPS.map(take))
  return {
    acknowledged,
    /** Resolves when so many more have been taken. */
    async more() {
      const count = acknowledged.length + 60
      await Promise.race([callers, until(async () => acknowledged.length >= count)])
    },
    async stop() {
      over = true
      await callers
    },
  }
}

/** The attempt that a payment of the load was made for: its amount says which. */
function keyOf({ merchantId, totalAmount }: Payment): string {
  return `${merchantId} ${totalAmount - 1}`
}
