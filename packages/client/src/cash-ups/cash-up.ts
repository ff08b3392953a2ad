/** The end of a period (API 2.2). */
export interface CashUp {
  /** When the period ended, in UTC: `2026-11-20T18:00:00Z`. */
  date: string
  /** Names the cash up and its period: up to 32 hexadecimal digits. */
  reference: string
}

/** Whether an answer's object can be a cash up. */
export function isCashUp(object: object): object is CashUp {
  const { date, reference } = object as Partial<CashUp>
  return typeof date === 'string' && typeof reference === 'string' && isReference(reference)
}

/** Nothing else may stand in the path. */
export function isReference(reference: unknown): boolean {
  return typeof reference === 'string' && /^[0-9a-f]{1,32}$/i.test(reference)
}
