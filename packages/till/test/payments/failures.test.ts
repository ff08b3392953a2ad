import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collected } from '../logging/collected.ts'
import { refusal, tillOf } from '../till-of.ts'

const throws = () => {
  throw new Error('hands off')
}

describe('whatever a processor says of a failure, the payment fails', () => {
  test.each<[string, unknown, string | null, string | null]>([
    ['300 characters', 'x'.repeat(300), 'x'.repeat(255), 'cut'],
    ['300 characters of two units', '🙂'.repeat(300), '🙂'.repeat(255), 'cut'],
    ['8 MB', 'x'.repeat(8 << 20), 'x'.repeat(255), 'cut'],
    ['NUL', 'a\0b', 'ab', 'cut'],
    ['half a surrogate pair', 'a\ud800', 'a\ufffd', 'cut'],
    ['a number', 51, '51', null],
    ['Infinity', Number.POSITIVE_INFINITY, 'Infinity', null],
    ['a boolean', true, 'true', null],
    ['an object', { code: 51 }, null, 'left out'],
    ['an object that throws', new Proxy({}, { get: throws, ownKeys: throws, has: throws }), null, 'left out'],
    ['a list', ['declined'], null, 'left out'],
    ['a symbol', Symbol('declined'), null, 'left out'],
    ['a date', new Date(), null, 'left out'],
    ['an error', new Error('declined'), null, 'left out'],
    ['text that fits', 'declined', 'declined', null],
    ['null', null, null, null],
    ['undefined', undefined, null, null],
  ])('%s', async (_, failure, kept, said) => {
    const { logger, lines } = collected()
    const { till, pay } = await tillOf({ logger })
    await pay()
    const failed = await till.payments.fail(await pay(), { failure: failure as never })
    expect(failed).toMatchObject({ id: 2, status: 'error', failure: kept })
    expect(await till.payments.get('shop', 2)).toEqual(failed)
    const message = `a failure that is no text of at most 255 characters without NUL was ${said}`
    expect(lines).toEqual(
      said === null ? [] : [['warn', { merchantId: 'shop', paymentId: 2, given: typeof failure }, message]],
    )
  })

  test.each<[string, unknown, string | null, object]>([
    [
      'unknown names beside it',
      { failure: 'declined', code: 51, raw: {} },
      'declined',
      { names: ['code', 'raw'] },
    ],
    ['another name', { reason: 'declined' }, null, { names: ['reason'] }],
    ['a text for the options', 'declined', null, { given: 'string' }],
    ['a number for the options', 51, null, { given: 'number' }],
    [
      'a getter that throws',
      Object.defineProperty({}, 'failure', { enumerable: true, get: throws }),
      null,
      {},
    ],
    ['a Proxy that throws', new Proxy({}, { get: throws, ownKeys: throws }), null, {}],
  ])('%s', async (_, options, kept, fields) => {
    const { logger, lines } = collected()
    const { till, pay } = await tillOf({ logger })
    const failed = await till.payments.fail(await pay(), options as never)
    expect(failed).toMatchObject({ status: 'error', failure: kept })
    expect(lines).toMatchObject([['warn', { merchantId: 'shop', paymentId: 1, ...fields }, /left out$/]])
  })

  test('and nothing of it is in the log', async () => {
    const { logger, lines } = collected()
    const { till, pay } = await tillOf({ logger })
    await till.payments.fail(await pay(), { failure: `card 4111111111111111 ${'x'.repeat(300)}` })
    expect(lines.length).toBe(1)
    expect(JSON.stringify(lines)).not.toContain('4111')
  })

  test('anything at all', async () => {
    const { till, pay } = await tillOf()
    await fc.assert(
      fc.asyncProperty(
        fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true }),
        async given => {
          const options = [{ failure: given }, given]
          for (const option of options) {
            const { id } = await till.payments.fail(await pay(), option as never)
            expect((await till.payments.get('shop', id))?.status).toBe('error')
          }
        },
      ),
    )
  })
})

test('a payment with more properties is a key; one whose id is no number is refused by name', async () => {
  const { till, pay } = await tillOf()
  const payment = { ...(await pay()), note: 'from the processor', nested: { a: 1 } }
  expect((await till.payments.complete(payment)).status).toBe('completed')
  for (const id of ['1', 1n, 1.5, -1, 0, Number.NaN, 2 ** 53, null, undefined, [1], {}]) {
    for (const outcome of ['complete', 'fail'] as const) {
      const refused = await refusal(till.payments[outcome]({ merchantId: 'shop', id: id as never }))
      expect(refused).toMatch(/^invalid_input: id must be/)
    }
  }
})

test('a clock that answers no date keeps no outcome from being recorded', async () => {
  let wrong = false
  const clock = () => (wrong ? (Number.NaN as never) : new Date('2026-11-20T09:30:00Z'))
  const { till, pay } = await tillOf({ clock })
  await till.merchants.update('shop', { webhookUrl: 'https://shop.example/hook' })
  const [first, second] = [await pay(), await pay()]
  wrong = true
  expect((await till.payments.complete(first)).status).toBe('completed')
  expect((await till.payments.fail(second)).status).toBe('error')
  expect((await till.webhooks.list('shop')).total).toBe(2)
})
