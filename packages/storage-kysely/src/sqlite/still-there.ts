import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseError } from '@tillkit/storage'

/**
 * For how many milliseconds a file that was looked at is not looked at again. Its log's dates would be written to the disk with each
 * commit: see `file-time.ts`.
 */
const GOOD_FOR = 100

/**
 * What makes sure that a file, and its log, are still those that were opened: SQLite goes on with what was removed or replaced, and
 * nobody else ever sees what it writes there.
 */
export function stillThere(file: string): () => void {
  const files = [resolve(file), `${realpathSync(file)}-wal`].map(name => ({ name, inode: inodeOf(name) }))
  let looked = performance.now()
  return () => {
    const since = performance.now() - looked
    if (since >= 0 && since < GOOD_FOR) return
    for (const one of files) {
      const found = inodeOf(one.name)
      // The log is made at the first statement.
      one.inode ??= found
      if (found === one.inode) continue
      throw new DatabaseError(
        `${one.name} was removed or replaced while it was open, and what is written would be lost: put it back, or end this process and start it again`,
      )
    }
    looked = performance.now()
  }
}

const inodeOf = (name: string) => statSync(name, { bigint: true, throwIfNoEntry: false })?.ino
