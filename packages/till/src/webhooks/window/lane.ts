import { createLine, type Line } from './line.ts'
import type { Standing, Tally } from './shares.ts'
import { createTurns } from './turns.ts'

/** Whose an attempt is. */
export interface Queued {
  origin: string
  merchantId: string
  /** The parts of the path that it is posted to; they are all one when left out. */
  path?: readonly string[]
  /** Whether the merchant's endpoint has only failed of late, as the storage has it. */
  failing: boolean
  /** Whether it keeps its turn, however much waits. */
  stays?: boolean
}

/** What is known of a merchant at an origin: how it stands, and how many it may have in flight. */
export interface Known {
  standing: Standing
  allowance: number
}

/** A merchant at an origin. */
export interface Lane<Item> extends Known {
  name: string
  origin: Origin<Item>
  merchant: Merchant<Item>
  path: readonly string[]
  waiting: Item[]
  inFlight: number
  /** The order in which lanes came. One that was put off keeps its own. */
  came: number
  /** Whether it has had a turn since. */
  begun: boolean
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
  /** Lanes that may start one more, in turn; until they answer, path by path. */
  turns: Record<Standing, Line<Lane<Item>>>
  /** How many lanes it has. */
  lanes: number
  came: number
  begun: boolean
  turn: number
}

export function laneName({ merchantId, origin }: Queued): string {
  return `${merchantId} ${origin}`
}

export function originNamed<Item>(name: string, came: number): Origin<Item> {
  const turns = {
    answering: createLine<Lane<Item>>(),
    unknown: createTurns<Lane<Item>>(),
    silent: createTurns<Lane<Item>>(),
  }
  return { name, inFlight: none(), turns, lanes: 0, came, begun: false, turn: came }
}

export function none(): Tally {
  return { answering: 0, unknown: 0, silent: 0 }
}
