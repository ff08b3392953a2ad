/** One thing that somebody did in the console, as the host is told of it and as the page of actions shows it. */
export interface ConsoleAction {
  /** The same when it began and when it ended. */
  id: string
  /** When: UTC, to the millisecond, by the till's clock. */
  at: string
  /** `begun` before anything is done; then `done`, or `failed` where it was refused or went wrong. */
  state: 'begun' | 'done' | 'failed'
  /** Who, as `authorize` named them. */
  operator: string
  /** What: `merchants.suspend`, `keys.issue`. */
  action: string
  /** Whose; null where it is about no one merchant. */
  merchantId: string | null
  /** What was asked for, field by field. Never a key. */
  details: Readonly<Record<string, string>>
  /** Why it failed, in words that are fit to show; null otherwise. */
  error: string | null
  /** The `X-Request-Id` of its request. */
  requestId: string
  /** The address it came from; null where the server does not tell. */
  remoteAddress: string | null
}

/** Is told of each action, when it begins and when it ends. */
export type OnAction = (action: ConsoleAction) => unknown
