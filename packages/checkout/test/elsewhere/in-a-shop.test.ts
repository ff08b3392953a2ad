import { english, german, translations } from '@tillkit/checkout'
import { expect, test } from 'vitest'
import { bookkeeper, openShop, stateOf } from '../shop.ts'
import { openHighStreet } from './high-street.ts'

const shopUrl = 'https://books.example/basket'
const order = '/shelf?id=HB-1&amount=1850&strict=true'
const returning = `${order}&returnUrl=${encodeURIComponent(shopUrl)}`
const shop = { returnOrigins: ['https://books.example'] }
const step = { status: 'redirect', url: 'https://bank.example/confirm' } as const

test('what is to be done elsewhere is on the page for as long as it is, however long that is', async () => {
  let now = new Date('2026-11-20T09:30:00Z')
  let told: typeof step | { status: 'pending' } = step
  const processor = Object.assign(bookkeeper(), { lookup: async () => told })
  processor.answer = () => step
  const { customer } = await openShop({ processor, watchSeconds: 60 }, { clock: () => now })
  const { page, target } = await customer.pay(order)
  expect(stateOf(page)).toBe('step')

  now = new Date('2026-11-20T09:40:00Z')
  const late = await customer.open(target)
  expect(stateOf(late.page)).toBe('step')
  expect(late.page).toContain(step.url)

  // Confirmed, and the bank is not done: nothing is left to do, and it was waited for long enough.
  told = { status: 'pending' }
  const done = await customer.open(target)
  expect(stateOf(done.page)).toBe('waited')
  expect(done.page).not.toContain(step.url)
})

test('a step leaves the way back to the shop, which is not where it leads', async () => {
  const { customer, processor } = await openShop({ shop })
  processor.answer = () => step
  const { page } = await customer.pay(returning)
  expect(stateOf(page)).toBe('step')
  expect(page).toContain(`<a class="button quiet" href="${shopUrl}">`)
  expect(page.match(/data-go/g)).toHaveLength(1)
})

test.each(translations.map(texts => [texts.language, texts] as const))(
  'in %s: there, back, and a receipt',
  async (language, texts) => {
    const { sent, customer } = await openHighStreet({ language })
    const there = await sent()
    expect(there.text).toContain(`<html lang="${language}"`)
    for (const text of [texts.step, texts.stepMore, texts.stepGo]) expect(there.text).toContain(text)
    const paid = await customer.decide(await customer.goOn(there), 'approve')
    expect(paid.state).toBe('completed')
    expect(paid.text).toContain(texts.saveReceipt)
  },
)

test('a disputed payment says so in the customer’s language, and offers neither another try nor a receipt', async () => {
  let now = new Date('2026-11-20T09:30:00Z')
  const { sent, bank, till, customer } = await openHighStreet({ language: 'de' }, undefined, {
    clock: () => now,
  })
  const there = await sent()
  now = new Date('2026-11-20T10:30:00Z')
  expect(await till.payments.failStale({ olderThanSeconds: 0 })).toBe(1)
  for (const entry of bank.book.values()) Object.assign(entry, { state: 'approved', booked: 1 })
  const page = await customer.open(there.url)
  expect(page.text).toContain(`<h1>${german.disputed}</h1>`)
  expect(page.text).toContain(german.disputedMore)
  for (const { tryAgain, saveReceipt } of [german, english]) {
    expect(page.text).not.toContain(tryAgain)
    expect(page.text).not.toContain(saveReceipt)
  }
})
