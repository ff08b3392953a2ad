import type { DatabaseConnection } from 'kysely'
import type { Execute } from './connections.ts'

/** Makes sure of a connection's session, once for each connection. */
export type CheckOnce = (connection: DatabaseConnection) => Promise<void> | undefined

const checkedBy = new WeakMap<Check, WeakSet<DatabaseConnection>>()

/** Resolves to false where the connection is to be looked at again. */
export type Check = (execute: Execute) => Promise<boolean>

export function checkOnce(check: Check | undefined): CheckOnce {
  if (!check) return () => undefined
  const checked = checkedBy.get(check) ?? new WeakSet()
  checkedBy.set(check, checked)
  return connection => {
    if (checked.has(connection)) return undefined
    return check(query => connection.executeQuery(query)).then(done => {
      if (done) checked.add(connection)
    })
  }
}
