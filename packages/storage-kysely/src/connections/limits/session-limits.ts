import { assertSeconds } from './time-limits.ts'

/** What a session of the server is told of time. */
export interface SessionLimits {
  /**
   * How long a transaction may lie idle before PostgreSQL or MariaDB ends its session, in seconds: 60 (MySQL has no such setting). So long can a process that was
   * stopped or cut off hold a merchant's lock. It is set for a pool of Tillkit's own; a host's pool is the host's to set.
   */
  idleTransactionTimeoutSeconds?: number | undefined
}

/** Throws `TillError` for what is not a number of seconds. */
export function idleSecondsOf({ idleTransactionTimeoutSeconds = 60 }: SessionLimits): number {
  assertSeconds('idleTransactionTimeoutSeconds', idleTransactionTimeoutSeconds)
  return idleTransactionTimeoutSeconds
}
