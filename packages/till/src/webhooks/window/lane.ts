import type { Standing, Tally } from './shares.ts'
import type { Known } from './standings.ts'

/** Whose an attempt is. */
export interface Queued {
  origin: string
  merchantId: string
  /** Whether the merchant's endpoint has only failed of late, as the storage has it. */
  failing: boolean
}

/** A merchant at an origin. */
export interface Lane<Item> extends Known {
  name: string
  origin: Origin<Item>
  merchant: Merchant<Item>
  waiting: Item[]
  inFlight: number
  /** When it last had its turn: the smaller, the longer ago. */
  turn: number
}

/** What a merchant has at all origins together. */
export interface Merchant<Item> {
  id: string
  lanes: Set<Lane<Item>>
  inFlight: number
}

export interface Origin<Item> {
  name: string
  inFlight: Tally
  /** Lanes that may start one more, in turn. */
  turns: Record<Standing, Set<Lane<Item>>>
  /** How many lanes it has. */
  lanes: number
  turn: number
}

export function laneName({ merchantId, origin }: Queued): string {
  return `${merchantId} ${origin}`
}

export function originNamed<Item>(name: string, turn: number): Origin<Item> {
  const turns = {
    answering: new Set<Lane<Item>>(),
    unknown: new Set<Lane<Item>>(),
    silent: new Set<Lane<Item>>(),
  }
  return { name, inFlight: none(), turns, lanes: 0, turn }
}

export function none(): Tally {
  return { answering: 0, unknown: 0, silent: 0 }
}
