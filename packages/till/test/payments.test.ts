import { describe, expect, test } from 'vitest'
import { refusal, tillOf } from './till-of.ts'

describe('start', () => {
  test('records what was given, and nothing else', async () => {
    const { code, pay } = await tillOf()
    expect(
      await pay({
        totalAmount: 1500,
        tipAmount: 250,
        userReference: 'Table 4',
        merchantReference: 'order-1',
        requiredAmount: 1250,
        extra: { basket: '2' },
        isVoucher: true,
        deviceSerialNumber: 'SN-1',
      }),
    ).toEqual({
      merchantId: 'shop',
      id: 1,
      status: 'pending',
      date: '2026-11-20T09:30:00Z',
      totalAmount: 1500,
      tipAmount: 250,
      scanCode: code,
      scanCodeReference: 'Counter',
      userReference: 'Table 4',
      statementReference: null,
      isVoucher: true,
      isVoucherRedemption: false,
      requiredAmount: 1250,
      merchantReference: 'order-1',
      authCode: expect.stringMatching(/^\d{6}$/),
      deviceSerialNumber: 'SN-1',
      strict: false,
      failure: null,
      extra: { basket: '2' },
    })
  })

  test('authCode is there for a required amount with a merchant reference only, leading zeros kept', async () => {
    const { pay } = await tillOf()
    expect((await pay()).authCode).toBeNull()
    expect((await pay({ requiredAmount: 1 })).authCode).toBeNull()
    expect((await pay({ merchantReference: 'a' })).authCode).toBeNull()
    const codes = new Set<string | null>()
    for (let i = 0; i < 300; i++)
      codes.add((await pay({ requiredAmount: 1, merchantReference: 'a' })).authCode)
    expect(codes.size).toBeGreaterThan(280)
    for (const code of codes) expect(code).toMatch(/^\d{6}$/)
  })

  test('tips and user references follow the features of the moment, and stay as recorded', async () => {
    const { till, pay } = await tillOf()
    expect(await pay()).toMatchObject({ tipAmount: 0, userReference: null })
    await till.merchants.update('shop', { features: { tips: false, userReferences: false } })
    expect(await pay({ tipAmount: 50, userReference: 'Anna' })).toMatchObject({
      tipAmount: null,
      userReference: null,
    })
    expect(await till.payments.get('shop', 1)).toMatchObject({ tipAmount: 0 })
  })

  test('what is wrong is named, and no id is used up', async () => {
    const { till, pay } = await tillOf()
    const cases: [object, RegExp][] = [
      [{ totalAmount: -1 }, /^invalid_input: totalAmount must be an integer from 0 to 9007199254740991/],
      [{ totalAmount: 12.5 }, /totalAmount must be an integer/],
      [{ totalAmount: '1250' }, /totalAmount must be an integer/],
      [{ totalAmount: 2 ** 53 }, /totalAmount must be an integer/],
      [{ totalAmount: undefined }, /totalAmount must be an integer/],
      [{ tipAmount: -5 }, /tipAmount must be an integer/],
      [{ tipAmount: 1251 }, /tipAmount must not be more than totalAmount/],
      [{ requiredAmount: 0.1 }, /requiredAmount must be an integer/],
      [{ merchantReference: 'x'.repeat(256) }, /merchantReference must be text of at most 255/],
      [{ userReference: 'a\0' }, /userReference must be text/],
      [{ userReference: '\ud800' }, /userReference must be text/],
      [{ strict: 'true' }, /strict must be a boolean/],
      [{ extra: { a: 1 } }, /extra must map up to 50 names to text/],
      [{ extra: { a: 'x'.repeat(8192) } }, /extra must map/],
      [
        { extra: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [i, ''])) },
        /extra must map up to 50/,
      ],
      [{ extra: ['a'] }, /extra must map/],
      [{ attemptKey: '' }, /attemptKey must be text of 1 to 255/],
      [{ tipAmout: 50 }, /tipAmout is not a known name/],
      [{ scanCode: 7 }, /scanCode must be a string/],
      [{ scanCode: 'nobody-has-this' }, /^not_found: scan code nobody-has-this is unknown/],
    ]
    for (const [input, message] of cases) expect(await refusal(pay(input as never))).toMatch(message)
    expect(await refusal(till.payments.start(null as never))).toMatch(/a payment must be an object/)
    expect((await pay()).id).toBe(1)
  })

  test('the widest input is kept to the letter', async () => {
    const { till, pay } = await tillOf()
    const extra = JSON.parse(
      '{"__proto__":"p","constructor":"c","":"empty","ключ":"значение 🙂","a+b":"%2B &="}',
    )
    const payment = await pay({
      totalAmount: Number.MAX_SAFE_INTEGER,
      merchantReference: '🙂'.repeat(255),
      extra,
    })
    const kept = await till.payments.get('shop', payment.id)
    expect(JSON.stringify(kept?.extra)).toBe(JSON.stringify(extra))
    expect(kept?.merchantReference).toBe('🙂'.repeat(255))
    expect(kept?.totalAmount).toBe(Number.MAX_SAFE_INTEGER)
  })

  test('the same attemptKey again is the first payment', async () => {
    const { till, pay } = await tillOf()
    const first = await pay({ attemptKey: 'a-1' })
    await till.payments.complete(first)
    expect(await pay({ attemptKey: 'a-1', totalAmount: 99 })).toMatchObject({
      id: 1,
      totalAmount: 1250,
      status: 'completed',
    })
    expect((await pay({ attemptKey: 'a-2' })).id).toBe(2)
  })

  test('startOnce tells one of the callers with an attemptKey that it recorded the payment', async () => {
    const { till, code } = await tillOf()
    const attempt = { scanCode: code, totalAmount: 1250, attemptKey: 'a-1' }
    const started = await Promise.all(Array.from({ length: 8 }, () => till.payments.startOnce(attempt)))
    expect(started.filter(({ created }) => created)).toHaveLength(1)
    expect(new Set(started.map(({ payment }) => payment.id))).toEqual(new Set([1]))
    const { attemptKey: _, ...unnamed } = attempt
    expect(await till.payments.startOnce(unnamed)).toMatchObject({ payment: { id: 2 }, created: true })
    expect(await till.payments.findAttempt('shop', 'a-1')).toMatchObject({ id: 1 })
    for (const key of ['A-1', 'a-2', '', 'a\0', null as never]) {
      expect(await till.payments.findAttempt('shop', key)).toBeNull()
    }
  })

  test('dates never go back, even when the clock does', async () => {
    const { clock, pay } = await tillOf()
    await pay()
    clock.now = new Date('2026-11-20T08:00:00Z')
    expect((await pay()).date).toBe('2026-11-20T09:30:00Z')
  })
})

describe('strict', () => {
  const order = { merchantReference: 'order-1', requiredAmount: 1000, strict: true }

  test('a reference with a pending or completed payment is taken; after a failure it is free again', async () => {
    const { till, pay } = await tillOf()
    const first = await pay(order)
    expect(first.status).toBe('pending')
    expect(await pay(order)).toMatchObject({ id: 2, status: 'error', failure: 'reference_taken' })
    await till.payments.fail(first)
    const third = await pay(order)
    expect(third.status).toBe('pending')
    await till.payments.complete(third)
    expect(await pay(order)).toMatchObject({ status: 'error', failure: 'reference_taken' })
  })

  test('less than the required amount is refused, tip apart', async () => {
    const { pay } = await tillOf()
    expect(await pay({ ...order, totalAmount: 999 })).toMatchObject({
      status: 'error',
      failure: 'amount_too_low',
    })
    expect(await pay({ ...order, totalAmount: 1050, tipAmount: 51 })).toMatchObject({
      failure: 'amount_too_low',
    })
    expect((await pay({ ...order, totalAmount: 1050, tipAmount: 50 })).status).toBe('pending')
  })

  test('payments that are not strict are never checked, but count for those that are', async () => {
    const { till, pay } = await tillOf()
    await till.payments.complete(await pay({ ...order, strict: false, totalAmount: 1 }))
    expect((await pay({ ...order, strict: false })).status).toBe('pending')
    expect(await pay(order)).toMatchObject({ failure: 'reference_taken' })
  })

  test('without a reference or an amount it checks what is there', async () => {
    const { pay } = await tillOf()
    expect((await pay({ strict: true })).status).toBe('pending')
    expect((await pay({ strict: true })).status).toBe('pending')
    expect(await pay({ strict: true, requiredAmount: 5000 })).toMatchObject({ failure: 'amount_too_low' })
    expect((await pay({ strict: true, merchantReference: 'a' })).status).toBe('pending')
    expect(await pay({ strict: true, merchantReference: 'a' })).toMatchObject({ failure: 'reference_taken' })
  })
})

describe('outcomes', () => {
  test('the first one wins; the same again is fine, the other one a conflict', async () => {
    const { till, pay } = await tillOf()
    const paid = await pay()
    expect((await till.payments.complete(paid)).status).toBe('completed')
    expect((await till.payments.complete({ merchantId: 'shop', id: 1 })).status).toBe('completed')
    expect(await refusal(till.payments.fail(paid))).toBe('conflict: payment 1 is already completed')

    const failed = await pay()
    expect(await till.payments.fail(failed, { failure: 'card_declined' })).toMatchObject({
      failure: 'card_declined',
    })
    expect(await till.payments.fail(failed, { failure: 'late' })).toMatchObject({ failure: 'card_declined' })
    expect(await refusal(till.payments.complete(failed))).toBe('conflict: payment 2 is already error')
  })

  test('an unknown payment is not found, a wrong key is named', async () => {
    const { till } = await tillOf()
    expect(await refusal(till.payments.complete({ merchantId: 'shop', id: 9 }))).toMatch(
      /^not_found: .*no payment 9/,
    )
    expect(await refusal(till.payments.fail({ merchantId: 'nobody', id: 1 }))).toMatch(/^not_found: /)
    expect(await refusal(till.payments.complete({ merchantId: 'shop', id: 1.5 }))).toMatch(
      /^invalid_input: id must be/,
    )
    expect(await refusal(till.payments.complete(undefined as never))).toMatch(
      /^invalid_input: a payment must be/,
    )
  })

  test('failStale fails what has been pending for longer, and only that', async () => {
    const { till, clock, pay } = await tillOf()
    await pay()
    const done = await pay()
    await till.payments.complete(done)
    clock.now = new Date('2026-11-20T09:40:00Z')
    await pay()
    expect(await till.payments.failStale({ olderThanSeconds: 3600 })).toBe(0)
    expect(await till.payments.failStale({ olderThanSeconds: 300 })).toBe(1)
    expect(await till.payments.get('shop', 1)).toMatchObject({ status: 'error', failure: 'stale' })
    expect(await till.payments.get('shop', 2)).toMatchObject({ status: 'completed' })
    expect(await till.payments.get('shop', 3)).toMatchObject({ status: 'pending' })
    expect(await refusal(till.payments.failStale({ olderThanSeconds: -1 }))).toMatch(
      /olderThanSeconds must be/,
    )
    expect(await refusal(till.payments.failStale({} as never))).toMatch(/olderThanSeconds must be/)
  })

  test('failStale goes on past one batch', async () => {
    const { till, pay } = await tillOf()
    for (let i = 0; i < 250; i++) await pay()
    expect(await till.payments.failStale({ olderThanSeconds: 0 })).toBe(250)
  })
})

describe('settle', () => {
  test('marks all or none, and only completed payments', async () => {
    const { till, pay } = await tillOf()
    for (let i = 0; i < 3; i++) await till.payments.complete(await pay())
    await till.payments.fail(await pay())
    await till.payments.settle('shop', { statementReference: 'S-1', paymentIds: [1, 2, 2] })
    await till.payments.settle('shop', { statementReference: 'S-1', paymentIds: [1] })
    expect(
      await refusal(till.payments.settle('shop', { statementReference: 'S-2', paymentIds: [3, 2] })),
    ).toBe('conflict: payment 2 is already settled as S-1')
    expect(
      await refusal(till.payments.settle('shop', { statementReference: 'S-2', paymentIds: [3, 4] })),
    ).toMatch(/^conflict: payment 4 is error/)
    expect(
      await refusal(till.payments.settle('shop', { statementReference: 'S-2', paymentIds: [3, 9] })),
    ).toMatch(/^not_found: /)
    expect((await till.payments.list('shop', { filter: { statementReference: 'S-1' } })).total).toBe(2)
    expect(await till.payments.get('shop', 3)).toMatchObject({ statementReference: null })
  })

  test('what is wrong is named', async () => {
    const { till } = await tillOf()
    const settle = (input: object) => refusal(till.payments.settle('shop', input as never))
    expect(await settle({ statementReference: '', paymentIds: [1] })).toMatch(
      /statementReference must be text of 1/,
    )
    expect(await settle({ statementReference: 'S', paymentIds: ['1'] })).toMatch(/paymentIds\.0 must be/)
    expect(await settle({ statementReference: 'S', paymentIds: 1 })).toMatch(/paymentIds must be an array/)
    expect(await refusal(till.payments.settle('nobody', { statementReference: 'S', paymentIds: [] }))).toBe(
      'not_found: merchant nobody is unknown',
    )
  })
})

describe('get and list', () => {
  test('by descending id, with filters and pages', async () => {
    const { till, clock, pay } = await tillOf()
    for (let i = 0; i < 5; i++) {
      clock.now = new Date(Date.UTC(2026, 10, 20, 10, i))
      const payment = await pay({ merchantReference: i % 2 ? 'odd' : 'even' })
      if (i < 3) await till.payments.complete(payment)
    }
    const ids = async (query: object) => {
      const { items, total } = await till.payments.list('shop', query)
      return [items.map(({ id }) => id), total]
    }
    expect(await ids({})).toEqual([[5, 4, 3, 2, 1], 5])
    expect(await ids({ perPage: 2, page: 2 })).toEqual([[3, 2], 5])
    expect(await ids({ perPage: 2, offset: 1 })).toEqual([[4, 3], 5])
    expect(await ids({ page: 9 })).toEqual([[], 5])
    expect(await ids({ filter: { status: ['completed'] } })).toEqual([[3, 2, 1], 3])
    expect(await ids({ filter: { merchantReference: 'odd', status: ['pending'] } })).toEqual([[4], 1])
    const startDate = '2026-11-20T11:01:00.000+01:00'
    expect(await ids({ filter: { startDate, endDate: '2026-11-20T10:03:00Z' } })).toEqual([[3, 2], 2])
    expect(await till.payments.get('shop', 3)).toMatchObject({ id: 3 })
    expect(await till.payments.get('shop', 6)).toBeNull()
    expect(await till.payments.get('shop', 1.5)).toBeNull()
    expect(await till.payments.get('nobody', 1)).toBeNull()
  })

  test('what is wrong is named', async () => {
    const { till } = await tillOf()
    const list = (query: object) => refusal(till.payments.list('shop', query as never))
    expect(await list({ page: 0 })).toMatch(/page must be an integer from 1/)
    expect(await list({ perPage: 101 })).toMatch(/perPage must be an integer from 1 to 100/)
    expect(await list({ offset: -1 })).toMatch(/offset must be an integer from 0/)
    expect(await list({ filter: { startDate: '2026-11-20' } })).toMatch(
      /filter\.startDate must be an ISO 8601/,
    )
    expect(await list({ filter: { status: ['done'] } })).toMatch(/filter\.status\.0 must be/)
    expect(await list({ filter: { scancode: 'x' } })).toMatch(/filter\.scancode is not a known name/)
    expect(await refusal(till.payments.list('nobody'))).toBe('not_found: merchant nobody is unknown')
  })
})
