/** A database that cannot be used as it is. `message` says which and why in one line; `cause` is the engine's own error. */
export class DatabaseError extends Error {
  /** `DatabaseError`, or the name of a kind of it. */
  override readonly name: string = 'DatabaseError'
}

/**
 * A row that the database handed over and that is not what was ever written to it: `message` names the row and the column,
 * and nothing of what stands there. Others are read all the same.
 */
export class UnreadableRowError extends Error {
  /** Always `UnreadableRowError`. */
  override readonly name = 'UnreadableRowError'
}

/**
 * The connection was lost after a write was sent to be committed and before the database answered: it may have taken
 * place or not, and was not run again because twice is not once. Whoever called looks, or calls again with the same key.
 */
export class CommitUnknownError extends DatabaseError {
  /** Always `CommitUnknownError`. */
  override readonly name = 'CommitUnknownError'

  constructor(cause: unknown) {
    super('the connection to the database was lost during a commit; whether it took place is unknown', {
      cause,
    })
  }
}
