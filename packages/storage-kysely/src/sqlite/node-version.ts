import { DatabaseError } from '@tillkit/storage'

const LEAST = 22

/** better-sqlite3 of today ends an older Node by a segmentation fault. */
export function assertNode(): void {
  const { node } = process.versions
  if (Number.parseInt(node, 10) >= LEAST) return
  throw new DatabaseError(`sqliteStorage needs Node ${LEAST} or later, and this is Node ${node}`)
}
