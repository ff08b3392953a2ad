/** What somebody asked for in a way that nobody can read. */
export class Unreadable extends Error {}

/** The most that a column of PostgreSQL's type `integer` holds. */
const MOST_ID = 2 ** 31 - 1
const MOST_QUANTITY = 1000

/** An order as its customer asks for it. */
export function orderAsked(body: unknown): { item: string; quantity: number } {
  const { item, quantity } = objectOf(body)
  if (typeof item !== 'string') throw new Unreadable('item must be a text')
  return { item, quantity: whole('quantity', quantity, MOST_QUANTITY) }
}

/** What the processor says: only `true` is approved, and what is neither is not guessed at. */
export function outcomeAsked(body: unknown): { paymentId: number; approved: boolean } {
  const { paymentId, approved } = objectOf(body)
  if (typeof approved !== 'boolean') throw new Unreadable('approved must be true or false')
  return { paymentId: whole('paymentId', paymentId, MOST_ID), approved }
}

/** The order in a path. */
export function orderIdAsked(id: string): number {
  return whole('the id of an order', Number(id), MOST_ID)
}

function objectOf(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null) return body as Record<string, unknown>
  throw new Unreadable('the body must be a JSON object, with Content-Type: application/json')
}

function whole(name: string, value: unknown, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new Unreadable(`${name} must be a whole number from 1 to ${most}`)
}
