import { DatabaseError } from '@tillkit/storage'

/** A write that was not committed, as something between ended its transaction or keeps it open: nothing is left of it. */
export class NotCommitted extends DatabaseError {}

/** Of a connection of a host's pool, which somebody gave back too early. */
export function leftOpen(cause?: unknown): NotCommitted {
  return new NotCommitted(
    'the pool gave out a connection with a transaction that was left open: commit or roll back before a connection is given back',
    { cause },
  )
}

/** Of a commit that the server answered with a rollback, since an earlier error had undone the transaction. */
export function rolledBack(cause?: unknown): NotCommitted {
  return new NotCommitted('the database rolled the transaction back in place of committing it', { cause })
}
