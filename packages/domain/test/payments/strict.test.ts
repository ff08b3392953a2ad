import { guardedReference, strictRefusal } from '@tillkit/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aNewPayment } from './a-payment.ts'

const amount = fc.integer({ min: 0, max: 20 })
const attempt = fc
  .record({
    strict: fc.boolean(),
    totalAmount: amount,
    tipAmount: fc.option(amount),
    requiredAmount: fc.option(amount),
    merchantReference: fc.option(fc.constantFrom('', 'order-1')),
  })
  .map(aNewPayment)

test('payments that are not strict are never refused and guard nothing', () => {
  fc.assert(
    fc.property(attempt, fc.boolean(), (payment, taken) => {
      const loose = { ...payment, strict: false }
      expect(strictRefusal(loose, taken)).toBe(null)
      expect(guardedReference(loose)).toBe(null)
    }),
  )
})

test('a strict payment guards its reference, the empty one too', () => {
  const strict = { strict: true }
  expect(guardedReference({ ...strict, merchantReference: 'order-1' })).toBe('order-1')
  expect(guardedReference({ ...strict, merchantReference: '' })).toBe('')
  expect(guardedReference({ ...strict, merchantReference: null })).toBe(null)
})

test('it is refused for a taken reference first, then for too low an amount, tip apart', () => {
  fc.assert(
    fc.property(attempt, fc.boolean(), (payment, taken) => {
      const { totalAmount, tipAmount, requiredAmount, merchantReference } = payment
      const paidEnough = requiredAmount === null || totalAmount - (tipAmount ?? 0) >= requiredAmount
      const refusal = strictRefusal({ ...payment, strict: true }, taken)
      expect(refusal === 'reference_taken').toBe(taken && merchantReference !== null)
      expect(refusal === null).toBe(paidEnough && !(taken && merchantReference !== null))
    }),
  )
})

test.each([
  [{ totalAmount: 99 }, 'amount_too_low'],
  [{ totalAmount: 100 }, null],
  [{ totalAmount: 109, tipAmount: 10 }, 'amount_too_low'],
  [{ totalAmount: 110, tipAmount: 10 }, null],
  [{ totalAmount: 150, tipAmount: null }, null],
])('with 100 required, %j is %s', (amounts, refusal) => {
  expect(strictRefusal(aNewPayment({ strict: true, requiredAmount: 100, ...amounts }), false)).toBe(refusal)
})
