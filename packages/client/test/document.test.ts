import type { ApiErrorCode, CashUp, DevicePayment, Payment, PaymentStatus } from '@tillkit/client'
import { openApiDocument } from '@tillkit/openapi'
import { expect, test } from 'vitest'

/** What a document calls the type of a field; the compiler holds the tables below to the client's types by it. */
type Kind<Value> = [Value] extends [boolean]
  ? 'boolean'
  : [Value] extends [number]
    ? 'integer'
    : [Value] extends [string]
      ? 'string'
      : 'object'
type Kinds<Fields> = {
  [Name in keyof Required<Fields>]: null extends Fields[Name]
    ? `${Kind<NonNullable<Fields[Name]>>} or null`
    : Kind<Fields[Name]>
}

const shared = {
  ...({ id: 'integer', status: 'string', date: 'string', totalAmount: 'integer' } as const),
  ...({ tipAmount: 'integer or null', scanCode: 'string', scanCodeReference: 'string or null' } as const),
  ...({ userReference: 'string or null', statementReference: 'string or null' } as const),
  ...({ requiredAmount: 'integer or null', merchantReference: 'string or null' } as const),
  ...({ authCode: 'string or null', extra: 'object' } as const),
}
const payment: Kinds<Payment> = { ...shared, isVoucher: 'boolean', isVoucherRedemption: 'boolean' }
const device: Kinds<DevicePayment> = {
  ...{ ...shared, deviceSerialNumber: 'string or null', transactionType: 'string' },
}
const cashUp: Kinds<CashUp> = { date: 'string', reference: 'string' }
const statuses: Record<PaymentStatus, 0> = { pending: 0, completed: 0, error: 0 }
const codes: Record<ApiErrorCode, 0> = {
  ...{ unauthorised: 0, https_required: 0, not_found: 0, method_not_allowed: 0, invalid_parameter: 0 },
  ...{ conflict: 0, not_ready: 0, rate_limited: 0, suspended: 0, unavailable: 0, internal: 0 },
}

interface Schema {
  properties: Record<string, { type: string | string[]; enum?: string[] }>
  required: string[]
}
const document = JSON.parse(JSON.stringify(openApiDocument({ serverUrl: 'https://pay.example.com/v1' })))
const schemas: Record<string, Schema> = document.components.schemas

test.each([
  ['Payment', payment],
  ['DevicePayment', device],
  ['CashUp', cashUp],
])('the type of %s is that of the API’s document', (name, kinds) => {
  const { properties = {}, required } = schemas[name] ?? {}
  const documented = Object.entries(properties).map(([name, { type }]) => [name, [type].flat().join(' or ')])
  expect(Object.fromEntries(documented)).toEqual(kinds)
  expect([...(required ?? [])].sort()).toEqual(Object.keys(kinds).sort())
})

test('statuses and codes are those of the API’s document', () => {
  expect(schemas.Payment?.properties.status?.enum?.toSorted()).toEqual(Object.keys(statuses).sort())
  expect(schemas.Error?.properties.code?.enum?.toSorted()).toEqual(Object.keys(codes).sort())
})
