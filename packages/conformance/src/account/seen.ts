/** A payment as it was shown. What it should have is for the rules to say. */
export type SeenPayment = Record<string, unknown> & {
  id: number
  status: string
  date: string
  scanCode: string
}
/** Those records that are payments, as far as they are needed to go on. */
export function seenIn(items: Record<string, unknown>[]): SeenPayment[] {
  return items.filter(
    ({ id, date, status }) =>
      Number.isSafeInteger(id) && typeof status === 'string' && !Number.isNaN(Date.parse(String(date))),
  ) as SeenPayment[]
}
