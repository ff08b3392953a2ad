import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, TillError } from '@tillkit/till'
import { describe, expect, test } from 'vitest'

const throws = () => {
  throw new Error('hands off')
}

const NAMES = ['id', 'name', 'merchantId', 'paymentId', 'label', 'code', 'scanCode', 'page', 'limit', 'since']
const MORE = ['olderThan', 'olderThanSeconds', 'statementReference', 'idempotencyKey', 'signal']

/** What nobody means to hand in, and some do. */
const MISUSE: [name: string, value: unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a text', 'not what was meant'],
  ['no text', ''],
  ['a number as text', '7'],
  ['a huge text', 'x'.repeat(3_000_000)],
  ['NUL', 'a\0b'],
  ['half a surrogate pair', '\ud800'],
  ['a number', 7],
  ['NaN', Number.NaN],
  ['a bigint', 7n],
  ['a symbol', Symbol('x')],
  ['a boolean', true],
  ['a function', () => {}],
  ['an empty list', []],
  ['a list', [{ id: 1 }]],
  ['a date', new Date()],
  ['a map', new Map([['id', 1]])],
  ['what nobody awaited', Promise.resolve({})],
  ['an unknown name', { nonsense: 1 }],
  ['a huge unknown name', { ['x'.repeat(3_000_000)]: 1 }],
  ['an unknown name without a prototype', Object.assign(Object.create(null), { nonsense: 1 })],
  ['__proto__', JSON.parse('{"__proto__": {"id": 1}}')],
  [
    'a proxy that throws',
    new Proxy({}, { get: throws, has: throws, ownKeys: throws, getPrototypeOf: throws }),
  ],
  ['a proxy that was revoked', revoked()],
  [
    'getters that throw',
    Object.defineProperties(
      {},
      Object.fromEntries([...NAMES, ...MORE].map(name => [name, { enumerable: true, get: throws }])),
    ),
  ],
]

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

/** One argument: a right one, and which misuse is none of its own. */
interface Argument {
  right: unknown
  allows?: (value: unknown) => boolean
}

const isNone = (value: unknown) => value === undefined || value === null
const isString = (value: unknown) => typeof value === 'string'

const SHOP: Argument = { right: 'shop', allows: value => value === '7' }
const needed = (right: object): Argument => ({ right })
const optional: Argument = { right: {}, allows: isNone }
/** A text that cannot be is a record that is not there. */
const name = (right: string): Argument => ({ right, allows: isString })

const AGE = { olderThanSeconds: 1_000_000 }
const lookup = () => ({ status: 'pending' })

/** Every method, with its arguments. One that takes none, or takes anything, has none here. */
const METHODS: Record<string, Argument[]> = {
  authenticate: [],
  close: [],
  now: [],
  standing: [],
  migrated: [],
  inspect: [optional],
  repairDates: [SHOP],
  'merchants.create': [needed({ name: 'Shop' })],
  'merchants.get': [SHOP],
  'merchants.update': [SHOP, needed({})],
  'merchants.list': [optional],
  'merchants.suspend': [SHOP],
  'merchants.resume': [SHOP],
  'merchants.issueWebhookKey': [SHOP],
  'apiKeys.issue': [SHOP, optional],
  'apiKeys.list': [SHOP],
  'apiKeys.revoke': [SHOP, name('key_1')],
  'scanCodes.create': [SHOP, optional],
  'scanCodes.get': [name('CODE')],
  'scanCodes.list': [SHOP],
  'scanCodes.suspend': [name('CODE')],
  'scanCodes.resume': [name('CODE')],
  'payments.start': [needed({ scanCode: 'CODE', totalAmount: 1 })],
  'payments.startOnce': [needed({ scanCode: 'CODE', totalAmount: 1 })],
  'payments.complete': [needed({ merchantId: 'shop', id: 1 })],
  // What comes with a failure never keeps it from being recorded.
  'payments.fail': [needed({ merchantId: 'shop', id: 1 })],
  'payments.failStale': [needed(AGE)],
  'payments.unresolved': [needed(AGE)],
  'payments.reconcile': [{ right: lookup, allows: value => typeof value === 'function' }, needed(AGE)],
  'payments.settle': [SHOP, needed({ statementReference: 'S', paymentIds: [] })],
  'payments.get': [SHOP, { right: 1, allows: value => typeof value === 'number' }],
  'payments.findAttempt': [SHOP, { right: 'a', allows: value => isString(value) || value === null }],
  'payments.list': [SHOP, optional],
  'payments.export': [SHOP, optional],
  'cashUps.create': [SHOP, optional],
  'cashUps.list': [SHOP, optional],
  'cashUps.payments': [SHOP, name('f'), optional],
  'reports.period': [SHOP, optional],
  'reports.takings': [
    { right: 'shop', allows: value => value === '7' || value === null },
    needed({ from: '2026-11-20', to: '2026-11-21', by: 'day', timeZone: 'UTC' }),
  ],
  'settlements.import': [needed({ statementReference: 'S', rows: [] })],
  'settlements.list': [optional],
  'settlements.get': [name('S'), optional],
  'webhooks.start': [],
  'webhooks.stop': [],
  'webhooks.run': [],
  'webhooks.deliverDue': [],
  'webhooks.counts': [],
  'webhooks.on': [],
  'webhooks.list': [SHOP, optional],
  'webhooks.get': [needed({ merchantId: 'shop', paymentId: 1 })],
  'webhooks.endpoint': [SHOP],
  'webhooks.failing': [optional],
  'webhooks.redeliver': [needed({ merchantId: 'shop', paymentId: 1 })],
  'webhooks.redeliverSince': [SHOP, needed({ since: '2026-11-20T09:30:00Z' })],
  'webhooks.sendTest': [SHOP],
  'webhooks.paused': [optional],
  'webhooks.purge': [needed({ olderThan: '2000-01-01T00:00:00Z' })],
}

type Method = (...args: unknown[]) => unknown

async function shop() {
  const storage = memoryStorage()
  const till = createTill({ storage, logger: false })
  await till.merchants.create({ id: 'shop', name: 'Shop' })
  await till.scanCodes.create('shop', { code: 'CODE' })
  await till.payments.start({ scanCode: 'CODE', totalAmount: 1 })
  const methods = new Map<string, Method>()
  for (const [part, value] of Object.entries(till)) {
    if (typeof value === 'function') methods.set(part, value as Method)
    else if (part !== 'logger')
      for (const [method, call] of Object.entries(value)) methods.set(`${part}.${method}`, call as Method)
  }
  // What is walked through is refused at its first step.
  methods.set('payments.export', (...args) => till.payments.export(...(args as ['shop'])).next())
  const everything = async () => [
    await till.merchants.list(),
    await till.scanCodes.list('shop'),
    await till.apiKeys.list('shop'),
    await till.payments.list('shop'),
    await till.cashUps.list('shop'),
    await till.settlements.list(),
    await till.webhooks.counts(),
  ]
  return { methods, everything }
}

test('every method of a till is among those that are misused here', async () => {
  const { methods } = await shop()
  expect([...methods.keys()].filter(method => !(method in METHODS))).toEqual([])
})

describe.each(Object.entries(METHODS).filter(([, args]) => args.length > 0))('%s', (method, args) => {
  test.each(args.map(({ right, allows }, position) => ({ position, right, allows })))(
    'refuses what argument $position cannot be, by name, and does nothing',
    async ({ position, allows }) => {
      const { methods, everything } = await shop()
      const call = methods.get(method)
      if (!call) return
      const before = await everything()
      for (const [misuse, value] of MISUSE) {
        if (allows?.(value)) continue
        const given = args.map(({ right }, n) => (n === position ? value : right))
        const answer = call(...given)
        const refusal = await Promise.resolve(answer).then(
          () => 'was not refused',
          (error: unknown) => error,
        )
        expect([misuse, refusal]).toEqual([misuse, expect.any(TillError)])
        const { code, message } = refusal as TillError
        expect([misuse, code]).toEqual([misuse, 'invalid_input'])
        expect(message).toMatch(/ must be | is not a known name of | cannot be read$/)
        expect(message.length).toBeLessThan(300)
      }
      expect(await everything()).toEqual(before)
    },
  )
})

test('texts that cannot be are not there, and the message is to be read', async () => {
  const { methods } = await shop()
  const text = 'x'.repeat(3_000_000)
  for (const [method, args] of [
    ['apiKeys.revoke', ['shop', text]],
    ['cashUps.payments', ['shop', text]],
    ['payments.start', [{ scanCode: text, totalAmount: 1 }]],
  ] as const) {
    const error = await Promise.resolve(methods.get(method)?.(...args)).catch((error: Error) => error)
    expect(error).toMatchObject({ name: 'TillError', code: 'not_found' })
    expect(String(error).length).toBeLessThan(300)
  }
})

describe('what holds something within', () => {
  const cases: [method: string, args: unknown[], message: string][] = [
    [
      'merchants.create',
      [{ name: 'Shop', features: new Map([['tips', true]]) }],
      'features must be an object',
    ],
    ['merchants.update', ['shop', { features: Promise.resolve({}) }], 'features must be an object'],
    ['merchants.list', [{ after: 'a\0' }], 'after must be text'],
    ['merchants.list', [{ limit: 2 ** 53 }], 'limit must be an integer from 1 to 1000'],
    [
      'payments.start',
      [{ scanCode: 'CODE', totalAmount: 1, extra: new Map([['a', 'b']]) }],
      'extra must map',
    ],
    ['payments.start', [{ scanCode: 'CODE', totalAmount: '1' }], 'totalAmount must be an integer'],
    [
      'payments.start',
      [{ scanCode: 'CODE', totalAmount: 1, tip: 1 }],
      'tip is not a known name of a payment',
    ],
    ['payments.complete', [{ merchantId: 'shop', id: '1' }], 'id must be an integer'],
    ['payments.complete', [{ merchantId: 'shop', id: 2 ** 53 }], 'id must be an integer'],
    ['payments.list', ['shop', { filter: new Date() }], 'filter must be an object'],
    ['payments.list', ['shop', { filter: { state: 'pending' } }], 'filter.state is not a known name'],
    ['payments.list', ['shop', { perpage: 1 }], 'perpage is not a known name'],
    [
      'payments.settle',
      ['shop', { statementReference: 'S', paymentIds: ['1'] }],
      'paymentIds.0 must be an integer',
    ],
    [
      'settlements.import',
      [{ statementReference: 'S', rows: 'shop,1,1250' }],
      'rows must be an iterable or an async iterable of rows',
    ],
    [
      'settlements.import',
      [{ statementReference: 'S', rows: [], since: 'yesterday' }],
      'since must be an ISO 8601 date-time',
    ],
    [
      'settlements.import',
      [{ statementReference: 'S', rows: [], onDifference: [] }],
      'onDifference must be a function',
    ],
    ['settlements.import', [{ statementReference: '', rows: [] }], 'statementReference must be text of 1'],
    ['settlements.import', [{ statementReference: 'S', rows: [], dryRun: 'no' }], 'dryRun must be a boolean'],
    ['settlements.list', [{ perPage: 1000 }], 'perPage must be an integer from 1 to 100'],
    ['webhooks.list', ['shop', { state: 'failed' }], 'state must be one of'],
    ['webhooks.purge', [{ olderThan: 30 }], 'olderThan must be a Date or an ISO 8601 date-time'],
  ]
  test.each(cases)('%s(%j) is named', async (method, args, message) => {
    const { methods } = await shop()
    await expect(Promise.resolve(methods.get(method)?.(...args))).rejects.toThrow(message)
  })
})

describe('createTill', () => {
  test.each(MISUSE)('refuses %s by name', (_, value) => {
    expect(() => createTill(value as never)).toThrow(TillError)
    expect(() => createTill(value as never)).toThrow(/ must be | is not a known name of | cannot be read$/)
    for (const option of ['storage', 'webhooks', 'secrets', 'clock']) {
      if (value === undefined || (option === 'clock' && typeof value === 'function')) continue
      const options = { storage: memoryStorage(), logger: false, [option]: value }
      expect(() => createTill(options as never)).toThrow(TillError)
      expect(() => createTill(options as never)).toThrow(new RegExp(`^${option}\\b|cannot be read$`))
    }
  })

  test('takes options of a class of the host’s, and names that are undefined', async () => {
    class Options {
      storage = memoryStorage()
      logger = false as const
      clock = undefined
      #rememberSeconds = 0
      get rememberSeconds() {
        return this.#rememberSeconds
      }
    }
    const till = createTill(new Options())
    class NewShop {
      id = 'shop'
      webhookUrl = undefined
      features = undefined
      get name() {
        return 'Shop'
      }
    }
    expect(await till.merchants.create(new NewShop())).toMatchObject({ id: 'shop', name: 'Shop' })
    const page = { page: undefined, perPage: undefined, filter: undefined }
    expect(await till.payments.list('shop', page)).toEqual({ items: [], total: 0 })
  })
})
