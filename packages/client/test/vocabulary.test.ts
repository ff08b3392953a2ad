import { createClient, type Vocabulary } from '@tillkit/client'
import { VOCABULARY } from '@tillkit/domain'
import { qrEndpoints, toFetch } from '@tillkit/http'
import { expect, test } from 'vitest'
import { gather, openShop } from './shop.ts'

const names = [...new Set(Object.values(VOCABULARY).flat())]
const snap = { scanCode: 'snapCode', scan_code_size: 'snap_code_size', Service: 'SnapScan' }
/** Another word for every name. */
const all = Object.fromEntries(names.map((name, i) => [name, `w${i}`]))

test.each<[string, Vocabulary]>([
  ['a few words', snap],
  ['another word for each name', all],
  ['words that change places', { id: 'extra', extra: 'id', payments: 'cash_ups', cash_ups: 'payments' }],
])('the client of a server with %s gives what the client of one without does', async (_, vocabulary) => {
  const { shop, requests, pay } = await openShop({ client: { vocabulary }, api: { vocabulary } })
  const plain = await openShop()
  for (const world of [pay, plain.pay]) {
    await world(
      { merchantReference: 'order 7', requiredAmount: 1250, extra: { id: 'x', scanCode: 'y' } },
      'completed',
    )
    await world({ scanCode: 'terrace' })
    await world({}, 'error')
  }
  const dateless = (items: object[]) => items.map(item => ({ ...item, date: null, authCode: null }))
  for (const one of [shop, plain.shop]) {
    expect(await one.payments.get(1)).toMatchObject({ id: 1, extra: { id: 'x', scanCode: 'y' } })
    expect((await one.payments.list({ scanCode: 'terrace' })).items.map(({ id }) => id)).toEqual([2])
    expect((await one.payments.list({ status: 'error', perPage: 1 })).perPage).toBe(1)
    expect(await one.payments.get(9).catch(error => error)).toMatchObject({
      ...{ code: 'not_found', message: 'There is no payment with this id' },
    })
    const { reference } = await one.cashUps.create()
    const waiting = await gather(one.cashUps.payments(reference)).catch(error => error)
    expect(waiting).toMatchObject({ code: 'not_ready' })
    expect((await one.cashUps.list()).items).toMatchObject([{ reference }])
  }
  const [theirs, ours] = [await gather(shop.payments.all()), await gather(plain.shop.payments.all())]
  expect(dateless(theirs)).toEqual(dateless(ours))
  expect(requests.length).toBeGreaterThan(0)
})

test('payment URLs and images are asked for in the provider’s words', async () => {
  const { till } = await openShop()
  const qrBaseUrl = 'https://pay.example.com'
  for (const vocabulary of [snap, all]) {
    const shop = createClient({ baseUrl: `${qrBaseUrl}/v1`, apiKey: 'tk_x', vocabulary })
    const mount = `/${(vocabulary as Vocabulary).qr ?? 'qr'}`
    const serve = toFetch({ [mount]: qrEndpoints(till, { qrBaseUrl, vocabulary }) })
    const options = { scanCode: 'counter', merchantReference: 'order 7', requiredAmount: 1250 }
    const image = await serve(new Request(shop.qr.imageUrl({ ...options, size: 77 })))
    expect(await image.text()).toMatch(/^<svg[^>]*width="77"/)
    const page = await serve(new Request(shop.qr.url(options)))
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('order 7')
  }
})

test('it knows the names that the server knows, and refuses what the server refuses', () => {
  const open = (vocabulary: object) => () =>
    createClient({ baseUrl: 'https://pay.example.com', apiKey: 'tk_x', vocabulary: vocabulary as Vocabulary })
  expect(open(all)).not.toThrow()
  expect(open({ scanCode: 'id' })).toThrow('vocabulary.scanCode must not be id, the word for id beside it')
  expect(open({ cash_ups: 'payments' })).toThrow('vocabulary.cash_ups must not be payments')
  expect(open({ startDate: 'from', endDate: 'from' })).toThrow('vocabulary.endDate must not be from')
  expect(open({ snapCode: 'scanCode' })).toThrow(
    /^vocabulary\.snapCode is not a name of the API, which are id,/,
  )
  expect(open({ scanCode: 'a b' })).toThrow('vocabulary.scanCode must be a word')
  expect(open({ scanCode: '__proto__' })).toThrow('vocabulary.scanCode must be a word')
  expect(open([])).toThrow('vocabulary must be an object')
})
