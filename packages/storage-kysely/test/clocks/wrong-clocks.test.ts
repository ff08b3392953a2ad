import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '@tillkit/servers'
import { createTill, type Till } from '@tillkit/till'
import { describe, expect, test } from 'vitest'
import { storageAt } from '../engines/address.ts'
import { overEveryEngine } from '../engines/index.ts'
import { end } from '../processes/fork.ts'
import { openHook } from './hook.ts'
import type { Orders, Report } from './shop-day.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const LIBRARY = ['x86_64', 'aarch64']
  .map(machine => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find(file => existsSync(file))

/** The processes of a shop and by how many seconds their wall clocks are ahead. */
interface Clerk {
  name: string
  ahead: number[]
  delivers: boolean
}
const RIGHT: Clerk = { name: 'right', ahead: [0], delivers: true }
const CLERKS: Clerk[] = [
  RIGHT,
  { name: 'an hour ahead', ahead: [HOUR], delivers: true },
  { name: 'an hour behind', ahead: [-HOUR], delivers: true },
  { name: 'a day ahead', ahead: [DAY], delivers: false },
  { name: 'six days behind', ahead: [-6 * DAY], delivers: true },
  // Never right: a process that lived in a right moment alone would have nothing to warn of.
  { name: 'jumping', ahead: [DAY, -HOUR, 6 * DAY, HOUR, -6 * DAY], delivers: true },
]

const program = (name: string) => fileURLToPath(new URL(`./${name}.ts`, import.meta.url))

function preloaded({ ahead }: Clerk) {
  return { execArgv: ['--import', program('wrong-clock')], env: { WRONG_CLOCK: ahead.join(' ') } }
}

function underFaketime({ ahead: [seconds = 0] }: Clerk, steady: boolean) {
  const monotonic = steady ? { FAKETIME_DONT_FAKE_MONOTONIC: '1' } : {}
  const env = { LD_PRELOAD: LIBRARY ?? '', FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`, ...monotonic }
  return { execArgv: [], env }
}

/** A file that says by how much the clock of a process is wrong, by another amount every moment. */
function changingOffsets({ ahead }: Clerk) {
  const file = join(mkdtempSync(join(tmpdir(), 'tillkit-clocks-')), 'offset')
  let turn = 0
  const write = () => {
    const seconds = ahead[turn++ % ahead.length] ?? 0
    // In one step: an empty file would be read as no offset.
    writeFileSync(`${file}.next`, `${seconds < 0 ? '' : '+'}${seconds}s`)
    renameSync(`${file}.next`, file)
  }
  write()
  const timer = setInterval(write, 200)
  return {
    env: { LD_PRELOAD: LIBRARY, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' },
    end() {
      clearInterval(timer)
      rmSync(dirname(file), { recursive: true })
    },
  }
}

overEveryEngine(({ create }) => {
  /** A day of the shop with these clerks, each in a process; checks all that came of it. */
  async function shopDay(clerks: Clerk[], how: (clerk: Clerk) => { execArgv: string[]; env: object }) {
    const { address, drop } = await create()
    const storage = storageAt(address)
    await storage.migrate()
    const hook = await openHook()
    const till = createTill({ storage, logger: false, webhooks: { allowHttp: true } })
    for (const [id, path] of [
      ['shop', 'well'],
      ['grump', 'ill'],
    ] as const) {
      await till.merchants.create({ id, name: id, webhookUrl: `${hook.url}/${path}` })
      await till.scanCodes.create(id, { code: id })
    }
    await till.merchants.create({ id: 'young', name: 'young' })
    await till.scanCodes.create('young', { code: 'young' })
    const young = await till.payments.start({ scanCode: 'young', totalAmount: 1 })
    const before = await timeOf(storage)
    const children = clerks.map(clerk => {
      const orders: Orders = { address, name: clerk.name, payments: 5, delivers: clerk.delivers }
      const { execArgv, env } = how(clerk)
      return fork(program('shop-day'), [JSON.stringify(orders)], {
        execArgv: ['--conditions=@tillkit/source', ...execArgv],
        env: { ...process.env, ...env },
      })
    })
    try {
      const reports = await Promise.all(children.map(reportOf))
      await until(async () => (await till.webhooks.counts()).pending === 0)
      for (const child of children) child.send('stop')
      expect(await Promise.all(children.map(end))).toEqual(children.map(() => 0))
      const span = { before, after: await timeOf(storage) }
      expect((await till.payments.get(young.merchantId, young.id))?.status).toBe('pending')
      await expectNothingWrong(till, hook, span, clerks, reports)
    } finally {
      for (const child of children) child.kill('SIGKILL')
      await till.close()
      await storage.close()
      await hook.close()
      await drop()
    }
  }

  test('processes whose clocks are wrong, or jump, harm nothing', { timeout: 900_000 }, async () => {
    await shopDay(CLERKS, preloaded)
  })

  describe.skipIf(!LIBRARY)('under libfaketime', () => {
    const still = CLERKS.filter(({ ahead }) => ahead.length === 1)

    test('the same, where the steady clock is real', { timeout: 900_000 }, async () => {
      await shopDay(still, clerk => underFaketime(clerk, true))
    })

    test('the same, where clocks jump', { timeout: 900_000 }, async () => {
      const jumping = CLERKS.filter(({ ahead }) => ahead.length > 1)
      const offsets = new Map(jumping.map(clerk => [clerk, changingOffsets(clerk)]))
      try {
        await shopDay([RIGHT, ...jumping], clerk => {
          const env = { ...offsets.get(clerk)?.env, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
          return { execArgv: [], env: offsets.has(clerk) ? env : {} }
        })
      } finally {
        for (const { end } of offsets.values()) end()
      }
    })

    test('the same, where it is not either', { timeout: 900_000 }, async () => {
      await shopDay(still, clerk => underFaketime(clerk, false))
    })
  })

  test('what a wrong clock has dated is put right', async () => {
    const { address, drop } = await create()
    const storage = storageAt(address)
    await storage.migrate()
    const before = await timeOf(storage)
    const wrong = createTill({ storage, logger: false, clock: () => new Date(Date.now() + 365 * DAY * 1000) })
    await wrong.merchants.create({ id: 'shop', name: 'Shop', webhookUrl: 'https://shop.example/hook' })
    await wrong.scanCodes.create('shop', { code: 'shop' })
    await wrong.payments.complete(await wrong.payments.start({ scanCode: 'shop', totalAmount: 1 }))
    await wrong.cashUps.create('shop')

    const till = createTill({ storage, logger: false })
    const next = await till.payments.start({ scanCode: 'shop', totalAmount: 1 })
    expect(Date.parse(next.date)).toBeGreaterThan(before + 364 * DAY * 1000)
    expect(await till.repairDates('shop')).toEqual({ payments: 2, cashUps: 1, deliveries: 1, endpoints: 0 })
    await till.payments.start({ scanCode: 'shop', totalAmount: 1 })
    const dated = [...(await till.payments.list('shop')).items, ...(await till.cashUps.list('shop')).items]
    const after = await timeOf(storage)
    for (const { date } of dated) expectWithin(Date.parse(date), { before, after })
    expect((await till.webhooks.counts()).due).toBe(1)
    const nothing = { payments: 0, cashUps: 0, deliveries: 0, endpoints: 0 }
    expect(await till.repairDates('shop')).toEqual(nothing)
    await storage.close()
    await drop()
  })
})

interface Span {
  before: number
  after: number
}

async function timeOf(storage: ReturnType<typeof storageAt>): Promise<number> {
  return (await storage.time?.())?.getTime() ?? Number.NaN
}

/** Dates are whole seconds: the one that the span begins in is part of it. */
function expectWithin(time: number, { before, after }: Span): void {
  expect(time).toBeGreaterThan(before - 1000)
  expect(time).toBeLessThanOrEqual(after)
}

async function expectNothingWrong(
  till: Till,
  { posts, timestamps }: Pick<Awaited<ReturnType<typeof openHook>>, 'posts' | 'timestamps'>,
  span: Span,
  clerks: Clerk[],
  reports: Report[],
) {
  expect(reports.map(({ failed }) => failed)).toEqual(reports.map(() => 0))
  for (const merchantId of ['shop', 'grump']) {
    const { items } = await till.payments.list(merchantId, { perPage: 100 })
    expect(items.map(({ status }) => status)).toEqual(Array(5 * clerks.length).fill('completed'))
    for (const { date } of items) expectWithin(Date.parse(date), span)
    const { items: deliveries } = await till.webhooks.list(merchantId, { perPage: 100 })
    expect(new Set(deliveries.map(({ state }) => state))).toEqual(
      new Set([merchantId === 'shop' ? 'delivered' : 'exhausted']),
    )
    // Each post is an attempt that was written down: nobody posted what another had in flight.
    for (const { paymentId, history, createdAt } of deliveries) {
      expect([paymentId, posts.get(`${merchantId}:${paymentId}`)]).toEqual([paymentId, history.length])
      expectWithin(Date.parse(createdAt), span)
    }
  }
  for (const { cashUp, createdAt } of reports) {
    expectWithin(Date.parse(cashUp), span)
    // Learned by an answer that took its time, it may be behind by that.
    expectWithin(Date.parse(createdAt), { ...span, before: span.before - 60_000 })
  }
  for (const timestamp of timestamps) {
    expectWithin(timestamp * 1000, { ...span, before: span.before - 60_000 })
  }
  expect(await till.webhooks.paused()).toEqual([])
  for (const [n, { ahead }] of clerks.entries()) {
    const [seconds = 0, ...jumps] = ahead
    const warnings = reports[n]?.warnings ?? []
    if (jumps.length > 0) expect(warnings.length).toBeGreaterThan(0)
    else expect(warnings).toHaveLength(seconds === 0 ? 0 : 1)
    for (const { machine, storage } of jumps.length > 0 ? [] : warnings) {
      expect(Math.abs(Date.parse(machine) - Date.parse(storage) - seconds * 1000)).toBeLessThan(60_000)
    }
  }
}

function reportOf(child: ChildProcess): Promise<Report> {
  return new Promise((resolve, reject) => {
    child.once('message', message => resolve(message as Report))
    child.once('exit', (code, signal) => reject(new Error(`the process ended: ${code ?? signal}`)))
  })
}
