import type { Credentials } from './credentials.ts'

/** Which address a question goes to: the API, the QR codes, or the API's host over plain HTTP. */
type Place = 'api' | 'qr' | 'plain'

/** One request to an instance, in the words of the contract. */
export interface Question {
  method?: string
  /** Below the base address, undecoded. */
  path: string
  /** Undecoded, without a `?`. */
  query?: string
  headers?: Record<string, string>
  credentials?: Credentials
  place?: Place
  body?: string
}

/** What is sent: a question in the words of the instance. */
export interface Message {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | undefined
}

/** What comes back, as it came. */
export interface Received {
  status: number
  /** By lower-case name, in the order in which they came. */
  headers: ReadonlyMap<string, readonly string[]>
  /** To `HEAD`, whatever followed the head. */
  body: Uint8Array
}

/** Sends a message. Rejects with `NoAnswer`. */
export type Transport = (message: Message) => Promise<Received>

/** There was no answer: no connection, none in time, or one that is none. */
export class NoAnswer extends Error {}
