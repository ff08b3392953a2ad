import {
  devicePaymentObject,
  devicePaymentObjectSchema,
  paymentObject,
  paymentObjectSchema,
} from '@tillkit/domain'
import { expect, test } from 'vitest'
import { aPayment } from './a-payment.ts'

const payment = aPayment({ failure: 'declined', status: 'error', strict: true, extra: { waiter: 'Ann' } })

test('a payment object has its fifteen keys, in order', () => {
  expect(JSON.stringify(paymentObject(payment))).toBe(
    '{"id":7,"status":"error","date":"2026-11-20T09:30:00Z","totalAmount":1250,"tipAmount":null,' +
      '"scanCode":"till-1","scanCodeReference":null,"userReference":null,"statementReference":null,' +
      '"isVoucher":false,"isVoucherRedemption":false,"requiredAmount":null,"merchantReference":null,' +
      '"authCode":null,"extra":{"waiter":"Ann"}}',
  )
})

test('in device lists the device stands in place of the voucher flags', () => {
  const { isVoucher: _, isVoucherRedemption: __, ...rest } = paymentObject(payment)
  const device = devicePaymentObject({ ...payment, deviceSerialNumber: 'SN-1' })
  expect(device).toEqual({ ...rest, deviceSerialNumber: 'SN-1', transactionType: 'payment' })
  const names = Object.keys(device)
  expect(names.slice(0, 2)).toEqual(['id', 'status'])
  expect(names.at(-1)).toBe('extra')
  expect(devicePaymentObject(payment).deviceSerialNumber).toBe(null)
})

test('each form is what its schema describes, keys and their order included', () => {
  for (const [schema, made] of [
    [paymentObjectSchema, paymentObject(payment)],
    [devicePaymentObjectSchema, devicePaymentObject(payment)],
  ] as const) {
    expect(schema.parse(made)).toEqual(made)
    expect(Object.keys(schema.shape)).toEqual(Object.keys(made))
  }
})
