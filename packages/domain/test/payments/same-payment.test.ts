import { isSamePayment, type Payment } from '@tillkit/domain'
import { expect, test } from 'vitest'
import { aPayment } from './a-payment.ts'

const read = aPayment({ authCode: '123456', merchantReference: 'order-1' })

test('a payment that has its outcome, its tip and its statement since is the same', () => {
  const now = aPayment({ ...read, status: 'completed', tipAmount: 50, statementReference: 'SEPA-1' })
  expect(isSamePayment(read, now)).toBe(true)
})

test.each<Partial<Payment>>([
  { merchantId: 'shop-2' },
  { id: 8 },
  { date: '2026-11-20T09:30:01Z' },
  { authCode: '654321' },
  { scanCode: 'till-2' },
  { totalAmount: 1251 },
  { merchantReference: 'order-2' },
])('one of another %o is another, whatever else is alike', difference => {
  expect(isSamePayment(read, { ...read, ...difference })).toBe(false)
})
