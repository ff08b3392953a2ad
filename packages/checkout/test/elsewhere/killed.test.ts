import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@tillkit/servers'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openBank } from './bank.ts'
import { bankProcessor } from './bank-processor.ts'
import { SOON } from './high-street.ts'
import { type Point, shopProcess } from './processes/shop.ts'
import { type Shown, walker } from './walker.ts'

/** A shop whose process can be killed and started again, on one file and one port. */
async function openMortalShop() {
  const [bank, folder, port] = [
    await openBank(),
    await mkdtemp(join(tmpdir(), 'tillkit-elsewhere-')),
    await freePort(),
  ]
  const file = join(folder, 'till.db')
  const storage = sqliteStorage({ file })
  await storage.migrate()
  const till = createTill({ storage, logger: false })
  await till.merchants.create({ id: 'books', name: 'Harbour Books' })
  await till.scanCodes.create('books', { code: 'shelf' })
  let child: ChildProcess = await shopProcess({ file, port, bank: bank.url })

  async function kill(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
  onTestFinished(async () => {
    await kill()
    await till.close()
    await storage.close()
    await rm(folder, { recursive: true })
  })
  return {
    bank,
    till,
    scanned: `http://127.0.0.1:${port}/qr/shelf?amount=1850`,
    kill,
    /** The process dies there, of itself. */
    async dieAt(point: Point) {
      child.send(point)
      await once(child, 'message')
    },
    /** Resolves when it is dead; then another takes its place. */
    async startAgain() {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      expect(child.signalCode).toBe('SIGKILL')
      child = await shopProcess({ file, port, bank: bank.url })
    },
  }
}

type Shop = Awaited<ReturnType<typeof openMortalShop>>
type Customer = ReturnType<typeof walker>

const nothing = () => {}

/** What happens up to the death, from the form on. */
type Life = (shop: Shop, customer: Customer, form: Shown) => Promise<unknown>

const onTheWay: Life = async (shop, customer, form) => {
  await customer.pay(form)
  await shop.kill()
}

const atTheBank: Life = async (shop, customer, form) => {
  const there = await customer.goOn(await customer.pay(form))
  await shop.kill()
  await customer.decide(there, 'approve').catch(nothing)
}

const CUTS: [name: string, live: Life][] = [
  [
    'when the bank has the charge, before its answer is heard',
    async (shop, customer, form) => {
      await shop.dieAt('charged')
      await customer.pay(form).catch(nothing)
    },
  ],
  ['while the customer is on the way to the bank', onTheWay],
  ['while the customer is at the bank, who approves and comes back to nobody', atTheBank],
  [
    'when the customer is back, before the bank is asked',
    async (shop, customer, form) => {
      const there = await customer.goOn(await customer.pay(form))
      await shop.dieAt('asking')
      await customer.decide(there, 'approve').catch(nothing)
    },
  ],
  [
    'when the bank has told, before that is recorded',
    async (shop, customer, form) => {
      const there = await customer.goOn(await customer.pay(form))
      await shop.dieAt('told')
      await customer.decide(there, 'approve').catch(nothing)
    },
  ],
  [
    'when the outcome is recorded, before the page says so',
    async (shop, customer, form) => {
      const there = await customer.goOn(await customer.pay(form))
      await shop.dieAt('recorded')
      await customer.decide(there, 'approve').catch(nothing)
    },
  ],
]

test('killed at any point of the way, the customer goes on where that was, and is charged once', {
  timeout: 600_000,
}, async () => {
  const shop = await openMortalShop()
  for (const [n, [name, live]] of CUTS.entries()) {
    const id = n + 1
    const customer = walker()
    const form = await customer.open(shop.scanned)
    await live(shop, customer, form)
    await shop.startAgain()
    let page = await customer.open(form.url)
    if (page.state === 'step') page = await customer.decide(await customer.goOn(page), 'approve')
    expect([name, page.state]).toEqual([name, 'completed'])
    expect(await shop.till.payments.get('books', id)).toMatchObject({ status: 'completed' })
    expect([...shop.bank.book.values()].map(({ booked }) => booked)).toEqual(Array(id).fill(1))
    expect((await shop.till.payments.list('books')).total).toBe(id)
  }
})

test('killed, and the customer gone for good: what was confirmed is found, what was not is not charged', {
  timeout: 600_000,
}, async () => {
  const shop = await openMortalShop()
  const { lookup } = bankProcessor(shop.bank.url)
  const counts = () => shop.till.payments.reconcile(lookup, { olderThanSeconds: 0 })
  for (const [n, live] of [onTheWay, atTheBank].entries()) {
    const customer = walker()
    await live(shop, customer, await customer.open(shop.scanned))
    await shop.startAgain()
    expect(await counts()).toMatchObject(n === 0 ? { pending: 1 } : { completed: 1, pending: 1 })
  }

  // Before the bank has heard of it.
  await shop.dieAt('started')
  const customer = walker()
  const form = await customer.open(shop.scanned)
  await customer.pay(form).catch(nothing)
  await shop.startAgain()
  expect((await customer.open(form.url)).state).toBe('pending')
  expect([...shop.bank.book.values()].map(({ booked }) => booked)).toEqual([0, 1])
  expect(await counts()).toEqual({ completed: 0, failed: 0, pending: 1, unknown: 1, errors: 0 })
  // The bank ends what nobody confirmed; then what it never heard of is given up.
  for (const entry of shop.bank.book.values()) if (entry.state === 'confirm') entry.state = 'declined'
  expect(await counts()).toEqual({ completed: 0, failed: 1, pending: 0, unknown: 1, errors: 0 })
  await vi.waitFor(
    async () => expect(await shop.till.payments.failStale({ olderThanSeconds: 1 })).toBe(1),
    SOON,
  )
  expect((await customer.open(form.url)).state).toBe('error')
  expect((await shop.till.payments.unresolved({ olderThanSeconds: 0 })).items).toEqual([])
})
