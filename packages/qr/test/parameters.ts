import type { PaymentParameters } from '@tillkit/qr'
import fc from 'fast-check'

const text = fc
  .oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom('+', '%', '&', '=', '?', '#', ';', ' ', 'é', '\ufeff', '\u2028', '💶', '%2', '/'),
    }),
    fc.constantFrom('', '__proto__', 'constructor', 'ID', 'x'.repeat(3000), '%'.repeat(1000)),
  )
  .filter(value => !value.includes('\0'))
const reserved = ['id', 'amount', 'strict', 'scan_code_size', 'scan_code_signature', 'scan_code_expires']
const name = text.filter(value => !reserved.includes(value))
const extra = fc
  .uniqueArray(fc.tuple(name, text), { selector: ([key]) => key, minLength: 1, maxLength: 8 })
  .map(pairs => Object.fromEntries(pairs))
const scanCode = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/)

/** What a payment URL can say, the odd and the long included. */
export const parameters = (
  fc.record(
    {
      scanCode,
      merchantReference: text,
      requiredAmount: fc.oneof(fc.maxSafeNat(), fc.constantFrom(0, 2 ** 53 - 1)),
      strict: fc.constant(true),
      extra,
    },
    { requiredKeys: ['scanCode'], noNullPrototype: true },
  ) as fc.Arbitrary<PaymentParameters>
).filter(fits)

/** Whether it leaves room for the longest words and a signature within 8 KiB of query. */
function fits({ merchantReference = '', extra = {} }: PaymentParameters): boolean {
  return encodeURIComponent([merchantReference, ...Object.entries(extra).flat()].join(',')).length < 7500
}
