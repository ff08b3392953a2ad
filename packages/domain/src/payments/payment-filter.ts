import { z } from 'zod'
import { parseDateTime, type WireDate } from '../values/date.ts'
import { PAYMENT_STATUSES, type PaymentStatus } from './payment.ts'

const date = z.string().transform((text, context): WireDate => {
  const parsed = parseDateTime(text)
  if (parsed !== null) return parsed
  context.addIssue('must be an ISO 8601 date-time with Z or an offset (+01:00), such as 2026-11-20T09:30:00Z')
  return z.NEVER
})

/** A filter for dates, with its words. */
const started = (when: string) =>
  date.optional().meta({ type: 'string', format: 'date-time', description: when })

const value = z
  .string()
  .min(1, 'must not be empty')
  .refine(text => !text.includes('\0') && text.isWellFormed(), 'must be text without NUL')
  .meta({ pattern: '^[^\\u0000]+$' })

/** A filter that compares one field, with its words. */
const exact = (whose: string) => value.optional().describe(`Payments with exactly this ${whose}.`)

const statuses = z
  .array(z.enum(PAYMENT_STATUSES, `must be of ${PAYMENT_STATUSES.join(', ')}`))
  .min(1, 'must not be empty')
  .transform(list => [...new Set(list)])

/** Checks the filters of API 4.2. Several together must all hold. */
export const paymentFilter = z.strictObject({
  startDate: started(
    'Payments started at or after it: an ISO 8601 date-time with `Z` or an offset, fractions of a second allowed.',
  ),
  endDate: started('Payments started before it.'),
  status: z
    .preprocess(list => (typeof list === 'string' ? list.split(',') : list), statuses.optional())
    .meta({
      type: 'array',
      items: { type: 'string', enum: [...PAYMENT_STATUSES] },
      minItems: 1,
      description: 'Payments of one of these, separated by commas. All when left out.',
    }),
  scanCode: exact('scan code'),
  scanCodeReference: exact('reference of their scan code'),
  userReference: exact('reference of their customer'),
  merchantReference: exact('reference of their merchant: `id` of the payment URL'),
  statementReference: exact('settlement: what the bank statement says'),
})

/** The fields that a filter compares with one value each. */
interface ExactFilter {
  /** Payments with this scan code. */
  scanCode?: string | undefined
  /** Payments with this reference of their scan code. */
  scanCodeReference?: string | undefined
  /** Payments with this reference of their customer. */
  userReference?: string | undefined
  /** Payments with this reference of their merchant. */
  merchantReference?: string | undefined
  /** Payments that were paid out under this reference. */
  statementReference?: string | undefined
}

/** Filters as a host gives them (API 4.2). Several together must all hold. */
export interface PaymentFilterInput extends ExactFilter {
  /** Started at or after: an ISO 8601 date-time with `Z` or an offset. */
  startDate?: string | undefined
  /** Started before: an ISO 8601 date-time with `Z` or an offset. */
  endDate?: string | undefined
  /** Any of these: a list, or one string with commas. All when left out. */
  status?: string | PaymentStatus[] | undefined
}

/** Filters as a store answers them. */
export interface PaymentFilter extends ExactFilter {
  /** Started at or after. */
  startDate?: WireDate | undefined
  /** Started before. */
  endDate?: WireDate | undefined
  /** Any of these. */
  status?: PaymentStatus[] | undefined
}

/** The filters that compare one field of a payment with one value. */
export const EXACT_FILTERS = [
  'scanCode',
  'scanCodeReference',
  'userReference',
  'merchantReference',
  'statementReference',
] as const
