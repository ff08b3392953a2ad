import { assertOutcome, assertSettles, TillError } from '@tillkit/domain'
import { expect, test } from 'vitest'
import { aPayment } from './a-payment.ts'

const conflict = (message: string) =>
  expect.objectContaining({ name: 'TillError', code: 'conflict', message })

test('the same outcome again is fine, the other one is a conflict', () => {
  const [completed, failed] = [
    aPayment({ status: 'completed' }),
    aPayment({ status: 'error', failure: 'declined' }),
  ]
  const error = { status: 'error', failure: 'another reason' } as const
  expect(() => assertOutcome(completed, { status: 'completed' })).not.toThrow()
  expect(() => assertOutcome(failed, error)).not.toThrow()
  expect(() => assertOutcome(completed, error)).toThrow(conflict('payment 7 is already completed'))
  expect(() => assertOutcome(failed, { status: 'completed' })).toThrow(conflict('payment 7 is already error'))
})

test('only completed payments settle, under one reference', () => {
  const completed = aPayment({ status: 'completed' })
  expect(() => assertSettles(completed, 'BANK-1')).not.toThrow()
  expect(() => assertSettles({ ...completed, statementReference: 'BANK-1' }, 'BANK-1')).not.toThrow()
  expect(() => assertSettles({ ...completed, statementReference: 'BANK-1' }, 'bank-1')).toThrow(
    conflict('payment 7 is already settled as BANK-1'),
  )
  for (const status of ['pending', 'error'] as const) {
    expect(() => assertSettles(aPayment({ status }), 'BANK-1')).toThrow(
      conflict(`payment 7 is ${status}; only completed payments settle`),
    )
  }
})

test('a TillError is an Error with a code', () => {
  const error = new TillError('not_found', 'merchant shop-1 is unknown')
  expect(error).toBeInstanceOf(Error)
  expect(`${error}`).toBe('TillError: merchant shop-1 is unknown')
})
