import { describe, expect, test } from 'vitest'
import { openDesk } from './desk.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')

/** A desk at a clock of its own, with a payment a minute. */
async function withPayments(count: number) {
  const time = { now: NOON }
  const desk = await openDesk({ timeZone: 'Europe/Amsterdam' }, { clock: () => new Date(time.now) })
  for (let n = 1; n <= count; n++) {
    const payment = await desk.till.payments.start({
      scanCode: 'table-1',
      totalAmount: 100 * n,
      merchantReference: `order-${Math.ceil(n / 2)}`,
      requiredAmount: 100 * n,
    })
    if (n % 3 === 1) await desk.till.payments.complete(payment)
    if (n % 3 === 2) await desk.till.payments.fail(payment, { failure: 'card_declined' })
    time.now += 60_000
  }
  return { ...desk, time }
}

const idsOf = (page: string) =>
  [...page.matchAll(/<th scope="row"><a href="[^"]*payments\/(\d+)">/g)].map(([, id]) => Number(id))

describe('the list of payments', () => {
  test('is newest first, fifty on a page, with its neighbours', async () => {
    const { browse } = await withPayments(60)
    const browser = browse()
    const { page } = await browser.open('/m-cafe/payments')
    expect(idsOf(page)).toEqual(Array.from({ length: 50 }, (_, n) => 60 - n))
    expect(page).toContain('60 in all, page 1 of 2')
    expect(page).toMatch(/payments\?page=2">Older/)
    expect(idsOf((await browser.open('/m-cafe/payments?page=2')).page)).toEqual(
      Array.from({ length: 10 }, (_, n) => 10 - n),
    )
    for (const odd of ['3', '0', '-1', 'x', '999999999']) {
      expect((await browser.open(`/m-cafe/payments?page=${odd}`)).status).toBe(200)
    }
  })

  test('filters as the API does, dates in its own time zone', async () => {
    const { browse, till } = await withPayments(12)
    const browser = browse()
    const ids = async (query: string) => idsOf((await browser.open(`/m-cafe/payments?${query}`)).page)
    expect(await ids('status=pending')).toEqual([12, 9, 6, 3])
    expect(await ids('status=pending&status=error')).toEqual([12, 11, 9, 8, 6, 5, 3, 2])
    expect(await ids('merchantReference=order-2')).toEqual([4, 3])
    // Noon in UTC is one o'clock in Amsterdam.
    expect(await ids('from=2026-11-20T13:03&until=2026-11-20T13:06')).toEqual([6, 5, 4])
    expect(await ids('scanCode=shelf')).toEqual([])
    expect((await browser.open('/m-cafe/payments?from=never')).page).toContain('The date of “from” is none.')
    expect((await till.payments.list('cafe')).total).toBe(12)
  })
})

describe('a jump', () => {
  test('by number, by reference, and by what may be several', async () => {
    const { browse } = await withPayments(12)
    const browser = browse()
    const target = async (text: string) =>
      (await browser.open(`/m-cafe/find?q=${encodeURIComponent(text)}`)).target
    expect(await target('7')).toBe('/m-cafe/payments/7')
    expect(await target(' 7 ')).toBe('/m-cafe/payments/7')
    expect(await target('')).toBe('/m-cafe/payments')
    const several = await browser.open('/m-cafe/find?q=order-2')
    expect(idsOf(several.page)).toEqual([4, 3])
    expect((await browser.open('/m-cafe/find?q=nothing')).page).toContain('None was found.')
  })

  test('by a reference as long as one may be, whatever its characters are', async () => {
    const { browse, till } = await withPayments(1)
    const merchantReference = `${'☕'.repeat(5)}${'😀'.repeat(250)}`
    await till.payments.start({ scanCode: 'table-1', totalAmount: 1, merchantReference })
    const found = await browse().open(`/m-cafe/find?q=${encodeURIComponent(merchantReference)}`)
    expect([found.status, found.target]).toEqual([200, '/m-cafe/payments/2'])
  })

  test('by the six digits that a customer was shown', async () => {
    const { browse, till } = await withPayments(5)
    const code = (await till.payments.get('cafe', 3))?.authCode ?? ''
    const others = (await till.payments.list('cafe')).items.filter(({ authCode }) => authCode === code)
    const { target, page } = await browse().open(`/m-cafe/find?q=${code}`)
    if (others.length === 1) expect(target).toBe('/m-cafe/payments/3')
    else expect(idsOf(page)).toContain(3)
  })

  test('looks through two thousand payments at a time, and goes on where it stopped', async () => {
    const desk = await openDesk()
    const first = await desk.till.payments.start({
      ...{ scanCode: 'table-1', totalAmount: 1, requiredAmount: 1, merchantReference: 'the first' },
    })
    for (let n = 0; n < 2100; n++) await desk.till.payments.start({ scanCode: 'table-1', totalAmount: 1 })
    const browser = desk.browse()
    const { page } = await browser.open(`/m-cafe/find?q=${first.authCode}`)
    expect(page).toContain('payments before 102 were not looked through')
    const [, on = ''] = /href="\.\.\/(m-cafe\/find\?[^"]*)">Look on/.exec(page) ?? []
    expect((await browser.open(`/${on.replaceAll('&#38;', '&')}`)).target).toBe('/m-cafe/payments/1')
  })
})

describe('one payment', () => {
  test('has its way, from the scan to what is known', async () => {
    const { browse } = await withPayments(3)
    const browser = browse()
    const { page } = await browser.open('/m-cafe/payments/2')
    expect(page).toMatch(/Scan<.*Start<.*Outcome<.*card_declined/s)
    expect(page).toContain('the merchant had no webhook URL then')
    expect((await browser.open('/m-cafe/payments/3')).page).toContain('not known yet')
    for (const none of ['4', '0', 'x', '1e3', '01', '99999999999999999999']) {
      expect([none, (await browser.open(`/m-cafe/payments/${none}`)).status]).toEqual([none, 404])
    }
    expect((await browser.open('/m-books/payments/1')).status).toBe(404)
  })
})
