import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, TillError } from '@tillkit/till'
import { describe, expect, test } from 'vitest'

const storage = memoryStorage()
const key = Buffer.alloc(32, 7).toString('base64')

describe('createTill names the option that is wrong', () => {
  const cases: [string, object, RegExp][] = [
    ['no storage', {}, /^storage must be a storage/],
    ['half a storage', { storage: { payments: {} } }, /^storage must be a storage \(it needs merchants,/],
    [
      'a storage of before there were reports',
      { storage: { ...storage, reports: undefined } },
      /^storage must be a storage \(it needs .*reports.*\)$/,
    ],
    ['an unknown option', { storage, webhook: {} }, /^webhook is not a known name/],
    ['a clock that is no function', { storage, clock: new Date() }, /^clock must be a function/],
    ['half a logger', { storage, logger: { info() {} } }, /^logger must be a logger/],
    [
      'a negative delay',
      { storage, webhooks: { retryDelays: [5, -1] } },
      /^webhooks\.retryDelays\.1 must be/,
    ],
    [
      'a delay of more than a year',
      { storage, webhooks: { retryDelays: [5, 31_536_001] } },
      /^webhooks\.retryDelays\.1 must be a number of seconds up to 31536000, a year$/,
    ],
    [
      'an endless delay',
      { storage, webhooks: { retryDelays: [Infinity] } },
      /^webhooks\.retryDelays\.0 must be/,
    ],
    ['a delay that is no number', { storage, webhooks: { retryDelays: [NaN] } }, /^webhooks\.retryDelays\.0/],
    ['no time', { storage, webhooks: { timeoutSeconds: 0 } }, /^webhooks\.timeoutSeconds must be/],
    ['a half place', { storage, webhooks: { concurrency: 1.5 } }, /^webhooks\.concurrency must be an int/],
    [
      'no network',
      { storage, webhooks: { allowedNetworks: ['10.0.0.0'] } },
      /^webhooks\.allowedNetworks\.0 must be/,
    ],
    [
      'an unknown webhook option',
      { storage, webhooks: { allowHTTP: true } },
      /^webhooks\.allowHTTP is not a known/,
    ],
    [
      'a short secret',
      { storage, secrets: { current: 'k1', keys: { k1: 'c2hvcnQ=' } } },
      /^secrets\.keys\.k1 must be 32/,
    ],
    [
      'a current secret that is missing',
      { storage, secrets: { current: 'k2', keys: { k1: key } } },
      /^secrets must have/,
    ],
    ['a negative memory', { storage, rememberSeconds: -1 }, /^rememberSeconds must be/],
  ]
  for (const [name, options, message] of cases) {
    test(name, () => {
      expect(() => createTill(options as never)).toThrow(message)
      expect(() => createTill(options as never)).toThrow(TillError)
    })
  }

  test('and no secret is in the message', () => {
    const secret = 'not-base64-but-secret'
    try {
      createTill({ storage, secrets: { current: 'k1', keys: { k1: secret } } })
    } catch (error) {
      expect(String(error)).not.toContain(secret)
    }
  })
})

test('all options together are taken', () => {
  createTill({
    storage,
    clock: () => new Date(),
    webhooks: {
      allowHttp: true,
      allowPrivateAddresses: true,
      allowedNetworks: ['10.1.0.0/16', 'fd00::/8'],
      retryDelays: [0.5, 10, 31_536_000],
      timeoutSeconds: 3,
      concurrency: 8,
    },
    secrets: { current: 'k2', keys: { k1: key, k2: key } },
    logger: console,
    rememberSeconds: 0,
  })
})

test('a clock that gives no time is said so', async () => {
  const till = createTill({ storage: memoryStorage(), clock: () => new Date(Number.NaN) })
  await expect(till.merchants.create({ name: 'Shop' })).rejects.toThrow(/clock must return a valid Date/)
})
