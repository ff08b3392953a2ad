import { disagreement, isNamed, MOST_MEANT, type Payment, paymentMeant, paymentNameOf } from '@tillkit/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aPayment } from '../payments/a-payment.ts'

const paid = (fields: Partial<Payment> = {}) =>
  aPayment({ status: 'completed', statementReference: null, ...fields })

test('a row agrees with a completed payment of its amount, settled by nothing or by its statement', () => {
  const row = { amount: 1250 }
  const says = (fields: Partial<Payment>) => disagreement(row, paid({ totalAmount: 1250, ...fields }), 'S-1')
  expect(says({})).toBe(null)
  expect(says({ statementReference: 'S-1' })).toBe(null)
  expect(says({ statementReference: 's-1' })).toBe('settled_elsewhere')
  expect(says({ statementReference: 'S-0', totalAmount: 1 })).toBe('settled_elsewhere')
  expect(says({ totalAmount: 1249 })).toBe('amount')
  expect(says({ totalAmount: 1, statementReference: 'S-1' })).toBe('amount')
  for (const status of ['pending', 'error'] as const) expect(says({ status })).toBe('not_completed')
})

test('of several payments the one is meant that the statement has settled, and else none', () => {
  const [one, two] = [paid({ id: 1 }), paid({ id: 2 })]
  const mine = paid({ id: 3, statementReference: 'S-1' })
  const other = paid({ id: 4, statementReference: 'S-0' })
  expect(paymentMeant([], 'S-1')).toBe(null)
  expect(paymentMeant([one], 'S-1')).toBe(one)
  expect(paymentMeant([other], 'S-1')).toBe(other)
  expect(paymentMeant([one, two], 'S-1')).toBe(null)
  expect(paymentMeant([one, other], 'S-1')).toBe(null)
  expect(paymentMeant([one, mine, other], 'S-1')).toBe(mine)
  expect(paymentMeant([mine, { ...mine, id: 5 }], 'S-1')).toBe(null)
  const many = Array.from({ length: MOST_MEANT - 1 }, () => one)
  expect(paymentMeant([...many, mine], 'S-1')).toBe(null)
})

test('no payment is ever guessed', () => {
  const found = fc.array(
    fc.record({ id: fc.nat(9), statementReference: fc.constantFrom(null, 'S-0', 'S-1') }).map(paid),
    { maxLength: MOST_MEANT + 2 },
  )
  const property = fc.property(found, payments => {
    const meant = paymentMeant(payments, 'S-1')
    if (meant !== null && payments.length > 1) expect(meant.statementReference).toBe('S-1')
    if (meant !== null) expect(payments).toContain(meant)
  })
  fc.assert(property)
})

test('a name holds by all of its parts', () => {
  const payment = paid({ id: 7, merchantReference: 'a', authCode: '000001' })
  const named = (fields: object) =>
    isNamed(payment, paymentNameOf({ merchantId: 'shop', amount: 1, ...fields }))
  expect(named({ paymentId: 7 })).toBe(true)
  expect(named({ paymentId: 7, merchantReference: 'a', authCode: '000001' })).toBe(true)
  expect(named({ paymentId: 7, merchantReference: 'A' })).toBe(false)
  expect(named({ merchantReference: 'a', authCode: '1' })).toBe(false)
  expect(named({ paymentId: 8 })).toBe(false)
})
