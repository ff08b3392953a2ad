import { setImmediate } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import type { Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, type Logger, type TillOptions } from '@tillkit/till'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { storageClock } from '../../src/clock/storage-clock.ts'

const START = Date.parse('2026-11-20T09:30:00.000Z')
const SECOND = 1000
const DAY = 86_400 * SECOND

/** This machine's clocks, set by hand. */
const machine = { wall: START, steady: 5_000_000 }
beforeEach(() => {
  Object.assign(machine, { wall: START, steady: 5_000_000 })
  vi.spyOn(Date, 'now').mockImplementation(() => machine.wall)
  vi.spyOn(performance, 'now').mockImplementation(() => machine.steady)
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** A till over a store whose clock is set by hand as well; `now` is the time as the till knows it. */
async function sceneOf(
  given: Partial<TillOptions> & { answer?: () => Promise<Date>; more?: Partial<Storage> },
) {
  const { answer, more, ...options } = given
  const database = { time: START, asked: 0, answer: answer ?? never }
  if (!answer) database.answer = async () => new Date(database.time)
  const kept = memoryStorage()
  const starts: unknown[] = []
  const storage: Storage = {
    ...kept,
    payments: {
      ...kept.payments,
      start(payment, now) {
        starts.push(now)
        return kept.payments.start(payment, now ?? new Date(database.time).toISOString())
      },
    },
    time() {
      database.asked += 1
      return database.answer()
    },
    ...more,
  }
  const merchant = { id: 'shop', name: 'Shop', webhookUrl: null, createdAt: new Date(START).toISOString() }
  const features = { tips: false, userReferences: false, deviceLists: false }
  await kept.merchants.create({ ...merchant, features })
  await kept.scanCodes.add({
    code: 'CODE',
    merchantId: 'shop',
    reference: null,
    createdAt: merchant.createdAt,
  })
  const said: { level: string; message: string; fields: object }[] = []
  const at = (level: string) => (fields: object, message: string) => said.push({ level, message, fields })
  const logger = { debug: () => {}, info: at('info'), warn: at('warn'), error: at('error') } as Logger
  const till = createTill({ storage, logger, ...options })
  return {
    till,
    database,
    starts,
    said,
    pay: () => till.payments.start({ scanCode: 'CODE', totalAmount: 1 }),
    now: async () => Date.parse((await till.scanCodes.create('shop')).createdAt),
    /** So much time goes by, everywhere. */
    pass(milliseconds: number) {
      machine.wall += milliseconds
      machine.steady += milliseconds
      database.time += milliseconds
    },
  }
}

const never = () => new Promise<Date>(() => {})
const away = () => Promise.reject(new Error('the database is away'))

describe('without a clock option', () => {
  test('now is the storage’s time', async () => {
    const { till, database, pass } = await sceneOf({})
    machine.wall += DAY
    pass(1234)
    expect((await till.now()).getTime()).toBe(database.time)
  })

  test('the storage’s time counts, and no jump of the machine’s changes it', async () => {
    const { now, pass, database } = await sceneOf({})
    for (const jump of [DAY, -DAY, -3600 * SECOND, 365 * DAY, -364 * DAY]) {
      machine.wall += jump
      expect(await now()).toBe(database.time)
      pass(SECOND)
      expect(await now()).toBe(database.time)
    }
  })

  test('a start, an outcome and a cash up wait for no question, and are dated by the store', async () => {
    machine.wall += 365 * DAY
    const { till, pay, starts } = await sceneOf({ answer: never })
    const payment = await pay()
    await till.payments.complete(payment)
    await till.cashUps.create('shop')
    expect(payment.date).toBe('2026-11-20T09:30:00Z')
    expect(starts).toEqual([null])
  })

  test('it is asked once at first, then beside the work, and not while nothing is done', async () => {
    const { now, pay, pass, database } = await sceneOf({})
    const asked = async () => {
      await setImmediate()
      await setImmediate()
      return database.asked
    }
    expect(await asked()).toBe(0)
    for (let n = 0; n < 20; n++) await now()
    expect(await asked()).toBe(1)
    pass(9 * SECOND)
    await now()
    await pay()
    expect(await asked()).toBe(1)

    pass(2 * SECOND)
    const hanging = Promise.withResolvers<Date>()
    database.answer = () => hanging.promise
    for (let n = 0; n < 20; n++) expect(await now()).toBe(database.time)
    expect(await asked()).toBe(2)
    hanging.resolve(new Date(database.time))
    await setImmediate()
    pass(30 * SECOND)
    expect(await asked()).toBe(2)
  })

  test('a process that only takes payments learns it too', async () => {
    machine.wall += DAY
    const { pay, said, database } = await sceneOf({})
    for (let n = 0; n < 20; n++) await pay()
    await vi.waitFor(() => expect(said).toHaveLength(1), { timeout: 60_000 })
    expect(database.asked).toBe(1)
  })

  test('after a pause, or a sleep, it is asked before it is believed', async () => {
    const { now, pass, database } = await sceneOf({})
    await now()
    pass(DAY)
    // The steady clock of this machine is a bad one.
    machine.steady += 9 * SECOND
    expect(await now()).toBe(database.time)
    machine.wall += 600 * SECOND
    database.time += 600 * SECOND
    expect(await now()).toBe(database.time)
    machine.steady -= DAY
    expect(await now()).toBe(database.time)
    expect(database.asked).toBe(4)
  })

  test('a storage that is away at first says so; later what is known goes on', async () => {
    const { now, pass, database } = await sceneOf({ answer: away })
    await expect(now()).rejects.toThrow('the database is away')
    database.answer = async () => new Date(database.time)
    await now()
    pass(DAY)
    database.answer = away
    expect(await now()).toBe(database.time)
    database.answer = never
    expect(await now()).toBe(database.time)
  })

  test.each([
    ['no Date', () => '2026-11-20'],
    ['no time', () => new Date(Number.NaN)],
    ['nothing', () => undefined],
  ])('an answer that is %s is not believed', async (_, answer) => {
    const nonsense = async () => answer() as Date
    const { now, pass, database } = await sceneOf({ answer: nonsense })
    await expect(now()).rejects.toThrow(/time\(\) of the storage must return a valid Date/)
    database.answer = async () => new Date(database.time)
    await now()
    database.answer = nonsense
    pass(DAY)
    expect(await now()).toBe(database.time)
  })

  test('an answer that comes late moves nothing that is known, and is never ahead at first', async () => {
    const late = await sceneOf({})
    const after = (milliseconds: number) => async () => {
      const read = late.database.time
      late.pass(milliseconds)
      return new Date(read)
    }
    late.database.answer = after(900)
    expect(await late.now()).toBe(late.database.time - 900)
    late.database.answer = async () => new Date(late.database.time)
    late.pass(61 * SECOND)
    expect(await late.now()).toBe(late.database.time)
    late.database.answer = after(900)
    late.pass(61 * SECOND)
    expect(await late.now()).toBe(late.database.time)
    expect(late.database.asked).toBe(3)
    late.database.answer = after(5 * SECOND)
    late.pass(61 * SECOND)
    expect(await late.now()).toBe(late.database.time - 5 * SECOND)
    expect(late.database.asked).toBe(6)
  })

  test('a database whose clock is set back is followed', async () => {
    const { now, pass, database } = await sceneOf({})
    await now()
    database.time -= DAY
    pass(61 * SECOND)
    expect(await now()).toBe(database.time)
  })

  test('a wrong machine is warned of once, with both times, and once when it is right again', async () => {
    const { now, pass, said } = await sceneOf({})
    machine.wall += 1.5 * SECOND
    await now()
    expect(said).toEqual([])
    machine.wall += 3600 * SECOND
    await now()
    pass(61 * SECOND)
    await now()
    expect(said).toEqual([
      {
        level: 'warn',
        message: "this machine's clock is wrong: the till goes by the storage's",
        fields: { machine: '2026-11-20T10:30:01.500Z', storage: '2026-11-20T09:30:00.000Z', seconds: 3601.5 },
      },
    ])
    machine.wall -= 3601 * SECOND
    await now()
    expect(said).toHaveLength(2)
    expect(said[1]).toMatchObject({ level: 'info', message: "this machine's clock is right again" })
    machine.wall -= 3600 * SECOND
    await now()
    expect(said[2]).toMatchObject({ level: 'warn', fields: { seconds: -3599.5 } })
  })

  test('stale is what is old by the storage’s time', async () => {
    const { till, pay, pass, now } = await sceneOf({})
    const { id } = await pay()
    await now()
    machine.wall += DAY
    machine.steady += 30 * SECOND
    expect(await till.payments.failStale({ olderThanSeconds: 20 })).toBe(0)
    pass(21 * SECOND)
    expect(await till.payments.failStale({ olderThanSeconds: 20 })).toBe(1)
    expect((await till.payments.get('shop', id))?.failure).toBe('stale')
  })

  test('a store within a transaction of its host’s is asked only what the host asks', async () => {
    const { pay, now, database } = await sceneOf({ more: { inTransaction: true } })
    await pay()
    await setImmediate()
    await setImmediate()
    expect(database.asked).toBe(0)
    expect(await now()).toBe(database.time)
    expect(database.asked).toBe(1)
    // Old enough to be learned anew by another.
    machine.wall += 20 * SECOND
    machine.steady += 20 * SECOND
    await now()
    await setImmediate()
    expect(database.asked).toBe(1)
  })

  test('a till that is closed asks no more', async () => {
    const { pay, database, till } = await sceneOf({})
    const paying = pay()
    const closing = till.close()
    await Promise.all([paying, closing])
    await setImmediate()
    expect(database.asked).toBe(0)
  })

  test('a store that has no time is told the machine’s', async () => {
    const { pay, starts, database, till } = await sceneOf({ more: { time: undefined } })
    await pay()
    await till.payments.failStale({ olderThanSeconds: 0 })
    expect(starts).toEqual([expect.stringMatching(/^\d{4}-.*Z$/)])
    expect(database.asked).toBe(0)
  })
})

describe('what is known of the storage’s time', () => {
  function learner() {
    const database = { time: START, answer: async () => new Date(database.time) }
    const pass = (milliseconds: number) => {
      machine.wall += milliseconds
      machine.steady += milliseconds
      database.time += milliseconds
    }
    const logger = { debug() {}, info() {}, warn() {}, error() {} }
    return { clock: storageClock(() => database.answer(), { logger, mayAsk: true }), database, pass }
  }

  test('at once is what may still be believed', async () => {
    const { clock, database, pass } = learner()
    expect(clock.known()).toBe(null)
    await clock.now()
    pass(60 * SECOND)
    expect(clock.known()).toEqual(new Date(database.time))
    pass(SECOND)
    expect(clock.known()).toBe(null)
    await clock.now()
    expect(clock.known()).toEqual(new Date(database.time))
    // As after a sleep of the machine.
    machine.wall += DAY
    expect(clock.known()).toBe(null)
    await clock.now()
    pass(30 * SECOND)
    expect(clock.known()).toEqual(new Date(database.time))
    machine.wall -= 10 * SECOND
    machine.steady -= 10 * SECOND
    expect(clock.known()).toBe(null)
  })

  test('when it is asked for is no answer to an earlier question', async () => {
    const { clock, database, pass } = learner()
    const hanging = Promise.withResolvers<Date>()
    database.answer = () => hanging.promise
    const before = clock.now()
    await setImmediate()
    database.answer = async () => new Date(database.time)
    pass(SECOND / 2)
    const asked = clock.asked()
    hanging.resolve(new Date(START))
    expect(await asked).toEqual(new Date(database.time))
    expect(await before).toEqual(new Date(START))
  })

  test('when it is asked for does not fail with an earlier question', async () => {
    const { clock, database } = learner()
    const hanging = Promise.withResolvers<Date>()
    database.answer = () => hanging.promise
    const failing = expect(clock.now()).rejects.toThrow('the database is away')
    await setImmediate()
    database.answer = async () => new Date(database.time)
    const asked = clock.asked()
    hanging.reject(new Error('the database is away'))
    expect(await asked).toEqual(new Date(database.time))
    await failing
  })
})

test('a Date of another realm is one', async () => {
  const clock = () => runInNewContext('new Date("2031-01-01T00:00:00Z")') as Date
  const { pay } = await sceneOf({ clock })
  expect((await pay()).date).toBe('2031-01-01T00:00:00Z')
})

test('a clock that is given is believed, and the storage’s is not asked', async () => {
  const clock = () => new Date('2031-01-01T00:00:00Z')
  const { pay, now, starts, database, till } = await sceneOf({ clock })
  expect((await pay()).date).toBe('2031-01-01T00:00:00Z')
  expect(await now()).toBe(clock().getTime())
  await till.payments.failStale({ olderThanSeconds: 0 })
  await till.cashUps.create('shop')
  expect(starts).toEqual(['2031-01-01T00:00:00.000Z'])
  expect(database.asked).toBe(0)
})
