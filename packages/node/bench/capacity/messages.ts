/** What a host is asked to do; it answers with what it has used so far. */
export interface Asked {
  payments: number
  merchants: number
  /** Of so many merchants one is paid: 1 where each is, in turn. */
  every: number
}

export interface Told {
  /** Seconds of processor time. */
  cpu: number
  /** To and from the database. */
  bytes: number
  connections: number
  /** At first alone: where it answers, and a key of the first merchant. */
  port?: number
  apiKey?: string
}
