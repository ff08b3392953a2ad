import { DatabaseError } from '@tillkit/storage'

/** A session of a host's in which a write would not be committed, or was not: nothing is left of it. */
export class NotCommitted extends DatabaseError {}

/** Of a connection of a host's pool, which somebody gave back too early. */
export function leftOpen(cause?: unknown): NotCommitted {
  return new NotCommitted(
    'the pool gave out a connection with a transaction that was left open: commit or roll back before a connection is given back',
    { cause },
  )
}
