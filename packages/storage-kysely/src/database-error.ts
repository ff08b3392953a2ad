/** A database that cannot be used as it is. `message` says which and why in one line; `cause` is the engine's own error. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
}
