import { refuseUnknown } from '../page.ts'
import type { QueryValue } from '../transport/request.ts'
import type { PaymentStatus } from './payment.ts'

/** Which payments (API 4.2). Several filters must all hold; one that is undefined is left out. */
export interface PaymentFilter {
  /** Started at or after: a `Date`, or an ISO 8601 date-time with `Z` or an offset. */
  startDate?: Date | string | undefined
  /** Started before: a `Date`, or an ISO 8601 date-time with `Z` or an offset. */
  endDate?: Date | string | undefined
  /** Of any of these statuses: a list, or one string with commas. All when left out. */
  status?: readonly PaymentStatus[] | string | undefined
  /** With this scan code. */
  scanCode?: string | undefined
  /** With this reference of their scan code. */
  scanCodeReference?: string | undefined
  /** With this reference of their customer. */
  userReference?: string | undefined
  /** With this reference of the merchant's: `id` of the payment URL. */
  merchantReference?: string | undefined
  /** Paid out under this reference. */
  statementReference?: string | undefined
}

/** The filters that compare a field with one text. */
const EXACT = [
  ...['scanCode', 'scanCodeReference', 'userReference', 'merchantReference', 'statementReference'],
] as const

const FILTERS = ['startDate', 'endDate', 'status', ...EXACT]

/** The parameters of a filter. Throws a TypeError naming what no filter is, or what a filter cannot be. */
export function filterParameters(
  filter: PaymentFilter,
  others: readonly string[],
): Record<string, QueryValue> {
  refuseUnknown(filter, [...FILTERS, ...others])
  const { startDate, endDate, status } = filter
  const parameters: Record<string, QueryValue> = {
    startDate: dateText('startDate', startDate),
    endDate: dateText('endDate', endDate),
    status: statusText(status),
  }
  for (const name of EXACT) parameters[name] = text(name, filter[name as keyof PaymentFilter])
  return parameters
}

function dateText(name: string, date: unknown): string | undefined {
  if (!(date instanceof Date)) return text(name, date)
  if (Number.isNaN(date.getTime())) throw new TypeError(`${name} must be a valid Date`)
  return date.toISOString()
}

function statusText(status: PaymentFilter['status']): string | undefined {
  return text('status', Array.isArray(status) ? status.join(',') : status)
}

/** An empty text is not left out: what was to be found would become everything. */
function text(name: string, value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'string' && value !== '')) return value
  throw new TypeError(`${name} must be text, and not empty`)
}
