/** Where receivers listen: those that answer, those that never do, and nobody. */
export interface Ports {
  sound: number
  silent: number
  refusing: number
}

/** What receivers say when each webhook that they waited for has come. */
export interface Received {
  /** From the first to the last. */
  seconds: number
  /** With those that came again. */
  posts: number
}

/** What a worker says when it has stopped. */
export interface Worked {
  claims: number
  /** Claims that found nothing. */
  empty: number
  /** Deliveries that it claimed. */
  claimed: number
  statements: number
}
