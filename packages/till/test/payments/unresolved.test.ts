import { memoryStorage } from '@tillkit/storage/memory'
import { describe, expect, test } from 'vitest'
import { collected } from '../logging/collected.ts'
import { refusal, tillOf } from '../till-of.ts'

describe('unresolved', () => {
  test('lists what has been pending for longer, over all merchants, oldest first', async () => {
    const { till, clock, pay } = await tillOf()
    await till.merchants.create({ id: 'bakery', name: 'Bakery' })
    const { code } = await till.scanCodes.create('bakery')
    const first = await pay({ extra: { order: '1' } })
    clock.now = new Date('2026-11-20T09:31:00Z')
    const third = await pay()
    const second = await pay({ scanCode: code })
    await till.payments.complete(await pay())
    await till.payments.fail(await pay())
    clock.now = new Date('2026-11-20T09:40:00Z')
    await pay()
    const found = await till.payments.unresolved({ olderThanSeconds: 300 })
    expect(found).toEqual({ items: [first, second, third], after: null })
    expect((await till.payments.unresolved({ olderThanSeconds: 541 })).items).toEqual([first])
    expect((await till.payments.unresolved({ olderThanSeconds: 601 })).items).toEqual([])
    expect((await till.payments.unresolved({ olderThanSeconds: 0 })).items).toHaveLength(4)
  })

  test('page by page, each once, while others get their outcome', async () => {
    const { till, pay } = await tillOf()
    for (let n = 0; n < 25; n++) await pay()
    const met: number[] = []
    let after: string | null = null
    do {
      const page: Awaited<ReturnType<typeof till.payments.unresolved>> = await till.payments.unresolved({
        olderThanSeconds: 0,
        after,
        limit: 4,
      })
      met.push(...page.items.map(({ id }) => id))
      for (const payment of page.items) if (payment.id % 2) await till.payments.complete(payment)
      after = page.after
    } while (after !== null)
    expect(met).toEqual(Array.from({ length: 25 }, (_, n) => n + 1))
    expect((await till.payments.unresolved({ olderThanSeconds: 0 })).items).toHaveLength(12)
  })

  test('the last page that is full has no page after it', async () => {
    const { till, pay } = await tillOf()
    for (let n = 0; n < 4; n++) await pay()
    expect((await till.payments.unresolved({ olderThanSeconds: 0, limit: 4 })).after).toBeNull()
    const half = await till.payments.unresolved({ olderThanSeconds: 0, limit: 2 })
    expect(half.after).toEqual(expect.any(String))
    expect(
      (await till.payments.unresolved({ olderThanSeconds: 0, limit: 2, after: half.after })).after,
    ).toBeNull()
  })

  test('what is wrong is named', async () => {
    const { till, pay } = await tillOf()
    for (let n = 0; n < 2; n++) await pay()
    const { after } = await till.payments.unresolved({ olderThanSeconds: 0, limit: 1 })
    const text = (plain: string) => Buffer.from(plain).toString('base64url')
    const cursors = [
      '',
      'x',
      `${after}=`,
      ` ${after}`,
      after?.slice(1),
      after?.slice(0, -1),
      text('2026-13-20T09:30:00Z 1 shop'),
      text('2026-11-20T09:30:00Z 0 shop'),
      text('2026-11-20T09:30:00Z 9999999999999999 shop'),
      text('2026-11-20T09:30:00Z 1 a shop'),
      text("2026-11-20T09:30:00Z 1 ' or 1=1"),
      text('null'),
      'x'.repeat(1_000_000),
    ]
    for (const cursor of cursors) {
      const refused = refusal(till.payments.unresolved({ olderThanSeconds: 0, after: cursor as never }))
      expect(await refused).toBe('invalid_input: after must be what unresolved returned as after')
    }
    const cases: [unknown, RegExp][] = [
      [undefined, /the options of unresolved must be an object/],
      [{}, /olderThanSeconds must be a number of seconds/],
      [{ olderThanSeconds: '300' }, /olderThanSeconds must be a number of seconds/],
      [{ olderThanSeconds: -1 }, /olderThanSeconds must be a number of seconds/],
      [{ olderThanSeconds: Number.NaN }, /olderThanSeconds must be a number of seconds/],
      [{ olderThanSeconds: Number.POSITIVE_INFINITY }, /olderThanSeconds must be/],
      [{ olderThanSeconds: 0, limit: 0 }, /limit must be an integer from 1 to 1000/],
      [{ olderThanSeconds: 0, limit: 1001 }, /limit must be an integer from 1 to 1000/],
      [{ olderThanSeconds: 0, limit: '10' }, /limit must be an integer from 1 to 1000/],
      [{ olderThanSeconds: 0, after: 7 }, /after must be a string/],
      [{ olderThanSeconds: 0, older: 1 }, /older is not a known name/],
    ]
    for (const [options, message] of cases) {
      expect(await refusal(till.payments.unresolved(options as never))).toMatch(message)
    }
  })

  test('one that cannot be read is logged, and keeps no other from the list', async () => {
    const { logger, lines } = collected()
    const storage = withUnreadable(2)
    const { till, pay } = await tillOf({ storage, logger })
    for (let n = 0; n < 3; n++) await pay()
    const { items } = await till.payments.unresolved({ olderThanSeconds: 0 })
    expect(items.map(({ id }) => id)).toEqual([1, 3])
    expect(lines).toEqual([
      ['error', { merchantId: 'shop', paymentId: 2 }, 'a pending payment cannot be read'],
    ])
  })
})

/** A store in which one payment's row cannot be read. */
function withUnreadable(id: number) {
  const storage = memoryStorage()
  const { pendingSince } = storage.payments
  storage.payments.pendingSince = async range =>
    (await pendingSince(range)).map(found => (found.id === id ? { ...found, payment: null } : found))
  return storage
}
