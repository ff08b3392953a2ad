import { DatabaseError, type Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, type Till, type TillOptions } from '@tillkit/till'
import { expect, test } from 'vitest'
import { refusal } from './till-of.ts'

const NOW = new Date('2026-11-20T09:30:00.000Z')
const KEY = Buffer.alloc(32).toString('base64')

/** A till whose clock is `seconds` after `NOW`, on a storage that several may share. */
function tillAt(seconds: number, storage: Storage, options: Partial<TillOptions> = {}): Till {
  const clock = () => new Date(NOW.getTime() + 1000 * seconds)
  return createTill({ storage, clock, logger: false, ...options })
}

async function shopOn(storage: Storage, webhookUrl: string | null = null) {
  const till = tillAt(0, storage)
  await till.merchants.create({ id: 'shop', name: 'Shop', webhookUrl })
  await till.scanCodes.create('shop', { code: 'counter' })
  const start = () => till.payments.start({ scanCode: 'counter', totalAmount: 100 })
  return { till, start }
}

/** What is found of one check: the levels and the sentences. */
async function found(till: Till, check: string): Promise<string[]> {
  const { findings } = await till.inspect()
  return findings.filter(one => one.check === check).map(({ level, says }) => `${level}: ${says}`)
}

test('a till with nothing in it is in order, but for its storage that forgets', async () => {
  const till = createTill({ storage: memoryStorage(), logger: false })
  const { level, storage, findings, counts } = await till.inspect()
  expect([level, storage?.engine]).toEqual(['warning', 'memory'])
  expect(findings.map(({ level, check }) => [check, level])).toEqual([
    ['durability', 'warning'],
    ['clock', 'ok'],
    ['payments', 'ok'],
    ['webhooks', 'ok'],
    ['keys', 'ok'],
    ['merchants', 'ok'],
  ])
  for (const { level, advice } of findings) expect(advice === null).toBe(level === 'ok')
  expect(counts).toMatchObject({ damagedDeliveries: 0, webhookKeys: { total: 0, plain: 0, unknown: 0 } })
})

test('payments that have been pending for too long', async () => {
  const storage = memoryStorage()
  const { till, start } = await shopOn(storage)
  expect(await found(till, 'payments')).toEqual(['ok: No payment is pending.'])
  await start()
  await start()
  for (const [seconds, says] of [
    [10, 'ok: 2 payments are pending, none for more than ten minutes.'],
    [601, 'warning: 2 payments are pending for more than ten minutes.'],
    [90_000, 'problem: 2 payments are pending for more than a day: their periods cannot be listed.'],
  ] as const) {
    expect(await found(tillAt(seconds, storage), 'payments')).toEqual([says])
  }
})

test('webhooks that are late, given up or damaged, and endpoints that are paused', async () => {
  const storage = memoryStorage()
  const { till, start } = await shopOn(storage, 'https://shop.example/hook')
  for (let n = 0; n < 3; n++) await till.payments.complete(await start())
  for (const [seconds, says] of [
    [10, 'ok: 3 webhooks wait to be delivered, 3 due now.'],
    [600, 'warning: 3 webhooks are due, the oldest for 10 minutes.'],
    [7200, 'problem: 3 webhooks are due, the oldest for 120 minutes.'],
  ] as const) {
    expect(await found(tillAt(seconds, storage), 'webhooks')).toEqual([says])
  }

  const [now, leaseUntil] = [0, 60].map(seconds => new Date(NOW.getTime() + 1000 * seconds).toISOString())
  if (!now || !leaseUntil) throw new Error('unreachable')
  const [given, damaged] = await storage.deliveries.claim({ now, leaseUntil, limit: 2 })
  if (!given || !damaged) throw new Error('too little was claimed')
  const attempt = { at: now, status: 500, milliseconds: 1, error: 'answered 500', answer: null }
  const over = { state: 'exhausted', nextAttemptAt: null } as const
  const leaseOf = ({ merchantId, paymentId, fence }: typeof given) => ({ merchantId, paymentId, fence })
  await storage.deliveries.record({ ...leaseOf(given), ...over, attempt })
  const gone = { ...attempt, status: null, error: 'payment is gone' }
  await storage.deliveries.record({ ...leaseOf(damaged), ...over, attempt: gone, asked: false })
  await storage.endpoints.pause('shop', now, now)
  expect(await found(tillAt(1, storage), 'webhooks')).toEqual([
    'ok: 1 webhook waits to be delivered, 1 due now.',
    'warning: 2 webhooks were given up after the last attempt.',
    'problem: Of 1 webhook the payment or the merchant is gone, or cannot be read.',
    'warning: 1 endpoint has only failed for days and is paused: shop.',
  ])
})

test('webhook keys at rest, by what this process can open', async () => {
  const storage = memoryStorage()
  const k1 = { secrets: { current: 'k1', keys: { k1: KEY } } }
  const k2 = { secrets: { current: 'k2', keys: { k2: KEY } } }
  const both = { secrets: { current: 'k2', keys: { k1: KEY, k2: KEY } } }
  const { till } = await shopOn(storage)
  await till.merchants.create({ id: 'other', name: 'Other' })
  expect(await found(till, 'keys')).toEqual(['ok: There are no webhook keys.'])
  await tillAt(0, storage, k1).merchants.issueWebhookKey('shop')
  for (const options of [k1, both]) {
    const keys = await found(tillAt(0, storage, options), 'keys')
    expect(keys).toEqual(['ok: 1 webhook key is sealed, and none is not.'])
  }
  expect(await found(tillAt(0, storage, k2), 'keys')).toEqual([
    'problem: 1 webhook key is sealed under a secret that is not given here: what is delivered from here is not sent to them.',
  ])
  expect(await found(till, 'keys')).toEqual([
    'note: 1 webhook key is sealed under a secret that is not given here, where there are none.',
  ])
  const issued = await till.merchants.issueWebhookKey('other')
  const inspected = await tillAt(0, storage, k1).inspect()
  expect(inspected.counts?.webhookKeys).toEqual({ total: 2, plain: 1, unknown: 0 })
  expect(inspected.findings.find(({ check }) => check === 'keys')).toMatchObject({
    level: 'warning',
    says: '1 webhook key is kept as it is: whoever reads the database can sign webhooks.',
    advice: expect.stringMatching(/^Issue the keys anew/),
  })
  expect(JSON.stringify(inspected)).not.toContain(issued.slice(4))
})

test('merchants that are suspended', async () => {
  const storage = memoryStorage()
  const { till } = await shopOn(storage)
  expect(await found(till, 'merchants')).toEqual(['ok: No merchant is suspended.'])
  await till.merchants.suspend('shop')
  expect(await found(till, 'merchants')).toEqual(['note: 1 merchant is suspended, and takes no payments.'])
})

test.each([
  [600, /^warning: This machine’s clock is \d+ s behind the database’s/],
  [-600, /^warning: This machine’s clock is \d+ s ahead of the database’s/],
])('a database whose clock is %i s ahead', async (seconds, says) => {
  const storage = { ...memoryStorage(), time: async () => new Date(Date.now() + seconds * 1000) }
  const till = createTill({ storage, logger: false })
  expect(await found(till, 'clock')).toEqual([expect.stringMatching(says)])
})

test('a storage that does not tell, and one that does not answer', async () => {
  const { inspect, time, ...quiet } = memoryStorage()
  const till = createTill({ storage: quiet, logger: false })
  const { level, findings, storage, counts } = await till.inspect()
  expect([level, storage, counts]).toEqual(['note', null, null])
  expect(findings.map(({ says }) => says)).toEqual(['This storage does not tell how it is.'])

  const away = () => Promise.reject(new DatabaseError('the database cannot be reached: refused'))
  for (const failing of [
    { ...quiet, time, inspect: away },
    { ...quiet, inspect, time: away },
  ]) {
    expect(await createTill({ storage: failing, logger: false }).inspect()).toEqual({
      level: 'problem',
      storage: null,
      findings: [
        {
          level: 'problem',
          check: 'database',
          says: 'The database could not be asked: the database cannot be reached: refused.',
          advice: 'Nothing works until it answers: start there.',
        },
      ],
      counts: null,
    })
  }
})

test('says from how long on a transaction is long, and refuses what is no number', async () => {
  const asked: number[] = []
  const kept = memoryStorage()
  const storage: Storage = {
    ...kept,
    inspect: async request => {
      asked.push(request.longTransactionSeconds)
      return kept.inspect?.(request) as never
    },
  }
  const till = createTill({ storage, logger: false })
  await till.inspect()
  await till.inspect({ longTransactionSeconds: 0 })
  expect(asked).toEqual([60, 0])
  for (const longTransactionSeconds of [-1, Number.NaN, '60']) {
    const said = await refusal(till.inspect({ longTransactionSeconds } as never))
    expect(said).toMatch(/^invalid_input: longTransactionSeconds must be/)
  }
  expect(await refusal(till.inspect({ seconds: 1 } as never))).toMatch(
    /^invalid_input: seconds is not a known/,
  )
})
