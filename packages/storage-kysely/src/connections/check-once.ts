import type { DatabaseConnection } from 'kysely'
import type { Execute } from './connections.ts'

/** Makes sure of a connection's session, once for each connection. */
export type CheckOnce = (connection: DatabaseConnection) => Promise<void> | undefined

const checkedBy = new WeakMap<Check, WeakSet<DatabaseConnection>>()

type Check = (execute: Execute) => Promise<void>

export function checkOnce(check: Check | undefined): CheckOnce {
  if (!check) return () => undefined
  const checked = checkedBy.get(check) ?? new WeakSet()
  checkedBy.set(check, checked)
  return connection => {
    if (checked.has(connection)) return undefined
    return check(query => connection.executeQuery(query)).then(() => {
      checked.add(connection)
    })
  }
}
