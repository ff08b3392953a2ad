import { z } from 'zod'
import { parseDateTime, type WireDate } from './date.ts'
import { PAYMENT_STATUSES, type PaymentStatus } from './payment.ts'

const date = z.string().transform((text, context): WireDate => {
  const parsed = parseDateTime(text)
  if (parsed !== null) return parsed
  context.addIssue('must be an ISO 8601 date-time with Z or an offset, such as 2026-11-20T09:30:00Z')
  return z.NEVER
})

const value = z
  .string()
  .min(1, 'must not be empty')
  .refine(text => !text.includes('\0') && text.isWellFormed(), 'must be text without NUL')

const statuses = z
  .array(z.enum(PAYMENT_STATUSES, `must be of ${PAYMENT_STATUSES.join(', ')}`))
  .min(1, 'must not be empty')
  .transform(list => [...new Set(list)])

/** The filters of specification 4.2. Several together must all hold. */
export const paymentFilter = z.strictObject({
  /** Started at or after. */
  startDate: date.optional(),
  /** Started before. */
  endDate: date.optional(),
  /** Any of these: a list, or one string with commas. */
  status: z.preprocess(list => (typeof list === 'string' ? list.split(',') : list), statuses.optional()),
  scanCode: value.optional(),
  scanCodeReference: value.optional(),
  userReference: value.optional(),
  merchantReference: value.optional(),
  statementReference: value.optional(),
})

/** Filters as a host gives them: dates in any ISO 8601 form with `Z` or an offset. */
export type PaymentFilterInput = Omit<z.input<typeof paymentFilter>, 'status'> & {
  status?: string | PaymentStatus[] | undefined
}

/** Filters as a store answers them. */
export interface PaymentFilter {
  startDate?: WireDate | undefined
  endDate?: WireDate | undefined
  status?: PaymentStatus[] | undefined
  scanCode?: string | undefined
  scanCodeReference?: string | undefined
  userReference?: string | undefined
  merchantReference?: string | undefined
  statementReference?: string | undefined
}

/** The filters that compare one field of a payment with one value. */
export const EXACT_FILTERS = [
  'scanCode',
  'scanCodeReference',
  'userReference',
  'merchantReference',
  'statementReference',
] as const
