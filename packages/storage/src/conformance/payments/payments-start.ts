import type { Checks } from '../capability.ts'
import { EDGE_TEXTS, UNKNOWN_TEXTS } from '../edge-text.ts'
import { aPayment, at, COMPLETED, dateAt, EVERYTHING, newReference, refusal } from '../scene.ts'

export function paymentsStart({ test, expect }: Checks): void {
  test('ids run 1, 2, 3 … for each merchant', async ({ merchant, start, ids }) => {
    const [one, other] = [await merchant(), await merchant()]
    const given: number[] = []
    for (let n = 0; n < 3; n++) {
      given.push((await start(one.id)).id, (await start(other.id)).id)
    }
    expect(given).toEqual([1, 1, 2, 2, 3, 3])
    expect(await ids(one.id)).toEqual([3, 2, 1])
  })

  test('a payment is recorded as it was given, with everything', async ({ storage, merchant }) => {
    const { id: merchantId } = await merchant()
    const { attemptKey, ...given } = aPayment(merchantId, {
      totalAmount: 1500,
      tipAmount: 0,
      scanCodeReference: 'Counter',
      userReference: 'Table 4',
      isVoucher: true,
      isVoucherRedemption: true,
      requiredAmount: 1400,
      merchantReference: 'order-1',
      authCode: '000042',
      deviceSerialNumber: 'SN-1',
      strict: true,
      extra: { waiter: 'Ann' },
      attemptKey: 'attempt-1',
    })
    const started = await storage.payments.start({ ...given, attemptKey }, at(1.999))
    const { payment } = started
    expect(started.created).toBe(true)
    const expected = {
      ...given,
      id: 1,
      status: 'pending',
      date: dateAt(1),
      statementReference: null,
      failure: null,
    }
    expect(payment).toEqual(expected)
    expect(Object.keys(payment).sort()).toEqual(Object.keys(expected).sort())
    expect(await storage.payments.get({ merchantId, id: 1 })).toEqual(expected)
    expect(await storage.payments.list(merchantId, {}, EVERYTHING)).toEqual({ items: [expected], total: 1 })
  })

  test('what is not given is null', async ({ storage, merchant }) => {
    const { id: merchantId } = await merchant()
    const { attemptKey: _, ...given } = aPayment(merchantId)
    const { payment } = await storage.payments.start(aPayment(merchantId), at(0))
    expect(payment).toEqual({
      ...given,
      id: 1,
      status: 'pending',
      date: dateAt(0),
      statementReference: null,
      failure: null,
    })
    expect(await storage.payments.get(payment)).toEqual(payment)
  })

  test('amounts go from 0 to 2^53 - 1', async ({ storage, merchant, start }) => {
    const { id } = await merchant()
    for (const amount of [0, 1, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER]) {
      const amounts = { totalAmount: amount, tipAmount: amount, requiredAmount: amount }
      const payment = await start(id, amounts)
      const kept = await storage.payments.get(payment)
      expect(kept).toEqual(payment)
      expect([kept?.totalAmount, kept?.tipAmount, kept?.requiredAmount]).toEqual([amount, amount, amount])
    }
  })

  test('texts come back to the letter, and an empty one is not null', async ({
    storage,
    merchant,
    start,
  }) => {
    const { id } = await merchant()
    for (const text of ['', ...EDGE_TEXTS]) {
      const texts = {
        scanCodeReference: text,
        userReference: text,
        merchantReference: text,
        deviceSerialNumber: text,
      }
      const payment = await storage.payments.get(await start(id, texts))
      expect({ ...payment, ...texts }).toEqual(payment)
    }
  })

  test('extra holds any names and values', async ({ storage, merchant, start }) => {
    const { id } = await merchant()
    const names = ['', 'A', 'a', '10', '9', 'constructor', 'toString', 'a.b', 'a"b', '$x', ...EDGE_TEXTS]
    const all = Object.fromEntries(names.map(name => [name, `${name}!`]))
    const largest = { é: 'x'.repeat(8 * 1024 - 2) }
    const most = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`name ${n}`, '']))
    for (const extra of [all, largest, most, {}]) {
      const kept = (await storage.payments.get(await start(id, { extra })))?.extra ?? {}
      expect(Object.entries(kept).sort()).toEqual(Object.entries(extra).sort())
    }
  })

  test('extra may be called __proto__, with no harm', async ({ storage, merchant, start }) => {
    const { id } = await merchant()
    const extra = Object.fromEntries([['__proto__', 'polluted']])
    const returned = await start(id, { extra })
    const kept = await storage.payments.get(returned)
    const listed = (await storage.payments.list(id, {}, EVERYTHING)).items[0]
    for (const payment of [returned, kept, listed]) {
      expect(Object.hasOwn(payment?.extra ?? {}, '__proto__')).toBe(true)
      expect(Object.entries(payment?.extra ?? {})).toEqual([['__proto__', 'polluted']])
    }
    expect('polluted' in {}).toBe(false)
  })

  test('dates never go back when the clock does', async ({ storage, merchant, start }) => {
    const { id } = await merchant()
    expect((await start(id, {}, at(10))).date).toBe(dateAt(10))
    expect((await start(id, {}, at(-3600))).date).toBe(dateAt(10))
    expect((await start(id, {}, at(9.999))).date).toBe(dateAt(10))
    expect((await start(id, {}, at(10.999))).date).toBe(dateAt(10))
    await storage.cashUps.create(id, { reference: newReference(), idempotencyKey: null, now: at(20.5) })
    expect((await start(id, {}, at(11))).date).toBe(dateAt(20))
    expect((await start(id, {}, at(21))).date).toBe(dateAt(21))
    const other = await merchant()
    expect((await start(other.id, {}, at(-3600))).date).toBe(dateAt(-3600))
  })

  test('an attempt key used before returns the first payment', async ({ storage, merchant, start, ids }) => {
    const { id: merchantId } = await merchant()
    const attempt = { attemptKey: 'k', totalAmount: 100, merchantReference: 'order-1' }
    const first = await start(merchantId, attempt)
    expect(await start(merchantId, attempt, at(60))).toEqual(first)
    expect(await start(merchantId, { attemptKey: 'k', totalAmount: 999, strict: true })).toEqual(first)
    expect(await ids(merchantId)).toEqual([1])

    const next = await start(merchantId, {}, at(30))
    expect([next.id, next.date]).toEqual([2, dateAt(30)])
    const completed = await storage.payments.resolve(first, COMPLETED, at(31))
    expect(await storage.payments.findAttempt(merchantId, 'k')).toEqual(completed?.payment)
    const other = await merchant()
    expect(await storage.payments.findAttempt(other.id, 'k')).toBe(null)
    for (const key of ['K', 'k ', '']) {
      expect(await storage.payments.findAttempt(merchantId, key)).toBe(null)
    }
    const last = await storage.payments.start(aPayment(merchantId, attempt), at(32))
    expect(last).toEqual({ payment: completed?.payment, created: false })
  })

  test('attempt keys are told apart to the letter and by merchant', async ({ storage, merchant, start }) => {
    const [one, other] = [await merchant(), await merchant()]
    const first = new Map<string, number>()
    for (const attemptKey of EDGE_TEXTS) first.set(attemptKey, (await start(one.id, { attemptKey })).id)
    expect([...first.values()]).toEqual(EDGE_TEXTS.map((_, n) => n + 1))
    for (const [attemptKey, id] of first) {
      expect((await start(one.id, { attemptKey })).id).toBe(id)
      expect((await storage.payments.findAttempt(one.id, attemptKey))?.id).toBe(id)
    }
    const attemptKey = EDGE_TEXTS.at(-1) ?? null
    expect((await start(other.id, { attemptKey })).id).toBe(1)
  })

  test('without an attempt key every attempt is a payment', async ({ merchant, start }) => {
    const { id } = await merchant()
    expect((await start(id, { attemptKey: null })).id).toBe(1)
    expect((await start(id, { attemptKey: null })).id).toBe(2)
  })

  test('an unknown merchant throws not_found', async ({ storage, merchant }) => {
    const { id } = await merchant()
    for (const unknown of [...UNKNOWN_TEXTS, id.toUpperCase(), `${id} `]) {
      expect(await refusal(storage.payments.start(aPayment(unknown), at(0)))).toBe('not_found')
    }
    expect((await storage.payments.start(aPayment(id), at(0))).payment.id).toBe(1)
  })

  test('a payment that is not there is null', async ({ storage, merchant, start }) => {
    const [one, other] = [await merchant(), await merchant()]
    await start(one.id)
    expect(await storage.payments.get({ merchantId: other.id, id: 1 })).toBe(null)
    for (const id of [-1, 0, 2, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER]) {
      expect(await storage.payments.get({ merchantId: one.id, id })).toBe(null)
    }
    for (const merchantId of UNKNOWN_TEXTS) {
      expect(await storage.payments.get({ merchantId, id: 1 })).toBe(null)
    }
  })
}
