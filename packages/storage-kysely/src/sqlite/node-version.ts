import { DatabaseError } from '@tillkit/storage'

/** better-sqlite3 of today ends an older Node by a segmentation fault: the Node-API that it needs, the tenth, came with Node 22.14. */
export function assertNode(): void {
  const { node, napi } = process.versions
  if (Number.parseInt(node, 10) >= 22 && Number(napi) >= 10) return
  throw new DatabaseError(`sqliteStorage needs Node 22.14 or later, and this is Node ${node}`)
}
