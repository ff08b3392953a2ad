import { PERIOD } from '../../storage-kysely/bench/fill.ts'
import type { Shop } from './open.ts'

/** Sends a request as a shop and resolves to the body of its answer, which has to be a success. */
export type Ask = (shop: Shop, method: 'GET' | 'POST', path: string, body?: object) => Promise<string>

/** One line of the table. */
export interface Scenario {
  name: string
  /** Also measured through Express and Fastify. */
  adapters?: boolean
  /** Asks once, and resolves to how many requests that were. */
  once(ask: Ask): Promise<number>
}

const STATUS = '/v1/payments?status=completed'

export function scenariosOf(rows: number, big: Shop, small: Shop[]): Scenario[] {
  const get = (path: () => string) => async (ask: Ask) => {
    await ask(big, 'GET', path())
    return 1
  }
  const pay = (shop: () => Shop) => async (ask: Ask) => {
    const who = shop()
    const order = {
      scanCode: who.scanCode,
      totalAmount: 4200,
      merchantReference: 'order-1',
      requiredAmount: 4200,
    }
    const { id } = JSON.parse(await ask(who, 'POST', '/v1/payments', order))
    await ask(who, 'POST', `/v1/payments/${id}/complete`, {})
    return 2
  }
  const oneOf = () => small[Math.floor(Math.random() * small.length)] as Shop
  const deep = Math.floor(rows / 100)
  return [
    {
      name: 'one payment by id',
      adapters: true,
      once: get(() => `/v1/payments/${1 + Math.floor(Math.random() * rows)}`),
    },
    {
      name: 'first page of 50',
      adapters: true,
      once: get(() => '/v1/payments'),
    },
    {
      name: `page ${deep}`,
      once: get(() => `/v1/payments?page=${deep}`),
    },
    { name: 'status=completed, first page', once: totalByStatus(big) },
    {
      name: 'payments of a cash up',
      once: get(() => `/v1/payments/cash_ups/${PERIOD}`),
    },
    { name: 'start + complete, one merchant', once: pay(() => small[0] as Shop) },
    { name: 'start + complete, 99 merchants', once: pay(oneOf) },
  ]
}

/** A first page with a total that no arithmetic gives. */
export const totalByStatus = (shop: Shop) => async (ask: Ask) => {
  await ask(shop, 'GET', STATUS)
  return 1
}
