import { expect, test } from 'vitest'
import { openShop, stateOf } from '../shop.ts'

const order = '/shelf?id=HB-1&amount=1850&strict=true'

test('a page that waits says that it may be closed, and for how long it looks is the host’s to say', async () => {
  let now = new Date('2026-11-20T09:30:00Z')
  const { customer, processor, till } = await openShop({ watchSeconds: 60 }, { clock: () => now })
  processor.answer = () => ({ status: 'pending' })
  const { page, target } = await customer.pay(order)
  expect(stateOf(page)).toBe('pending')
  expect(page).toContain('You may close this page; the shop will know.')
  expect(page).toMatch(/http-equiv="refresh"/)

  now = new Date('2026-11-20T09:31:00Z')
  expect(stateOf((await customer.open(target)).page)).toBe('pending')
  now = new Date('2026-11-20T09:31:01Z')
  const late = await customer.open(target)
  expect(stateOf(late.page)).toBe('waited')
  expect(late.page).toContain('the shop will know how your payment ends')
  expect(late.page).toContain('<a class="button quiet" href="">Look again</a>')
  expect(late.page).not.toMatch(/http-equiv="refresh"|<script/)

  await till.payments.complete({ merchantId: 'books', id: 1 })
  expect(stateOf((await customer.open(target)).page)).toBe('completed')
})

test('and so does one that waits for another’s payment of the order', async () => {
  let now = new Date('2026-11-20T09:30:00Z')
  const { customer, processor } = await openShop({}, { clock: () => now })
  processor.answer = () => ({ status: 'pending' })
  await customer.pay(order)
  const { target, page } = await customer.open(order)
  expect(stateOf(page)).toBe('pending')
  now = new Date('2026-11-20T09:36:00Z')
  const late = await customer.open(target)
  expect(stateOf(late.page)).toBe('waited')
  expect(late.page).not.toMatch(/http-equiv="refresh"|<script|<form/)
})
