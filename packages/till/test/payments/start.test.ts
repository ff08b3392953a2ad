import { describe, expect, test } from 'vitest'
import { refusal, tillOf } from '../till-of.ts'

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
    expect(await refusal(pay({ tipAmount: -5 }))).toMatch(/^invalid_input: tipAmount must be an integer/)
    expect(await refusal(pay({ tipAmount: 1251 }))).toMatch(/^invalid_input: tipAmount must not be more than/)
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
