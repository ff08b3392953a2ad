import type { Merchant } from '@tillkit/domain'
import type { Till } from '@tillkit/till'
import type { HttpRequest, HttpResponse } from '../handler.ts'
import type { ApiWords } from './api-words.ts'

/** A request that is authenticated, within its limit, and has found its endpoint. */
export interface Call {
  /** What it is answered from. */
  till: Till
  /** Whose key it came with. */
  merchant: Merchant
  /** As it came; its body is not read yet. */
  request: HttpRequest
  /** What stands in the path for the route's `{…}`, decoded; empty where the route has none. */
  parameter: string
  /** What fields and parameters are called. */
  words: ApiWords
}

/** Answers a call, or throws: `TillError` is what the caller gets to see. */
export type Endpoint = (call: Call) => Promise<HttpResponse>
