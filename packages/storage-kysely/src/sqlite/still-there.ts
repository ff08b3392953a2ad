import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseError } from '@tillkit/storage'

/**
 * For how many milliseconds a file that was looked at is not looked at again. Its log's dates would be written to the disk with each
 * commit: see `file-time.ts`.
 */
const GOOD_FOR = 100

/**
 * What makes sure that a file, its log and the index of that are still those that were opened: SQLite goes on with what was removed or
 * replaced, and nobody else ever sees what it writes there; two processes with two indexes of one log write over each other. In the midst of
 * a transaction no look is taken, since it must be possible to roll it back, but before it commits one is.
 */
export function stillThere(file: string, isInTransaction: () => boolean): (commits: boolean) => void {
  const beside = ['-wal', '-shm'].map(end => `${realpathSync(file)}${end}`)
  const files = [resolve(file), ...beside].map(name => ({ name, inode: inodeOf(name) }))
  let looked = performance.now()
  return commits => {
    const since = performance.now() - looked
    if (since < GOOD_FOR || (!commits && isInTransaction())) return
    for (const one of files) {
      if (inodeOf(one.name) === one.inode) continue
      throw new DatabaseError(
        `${one.name} was removed or replaced while it was open, and what is written would be lost: put it back, or end this process and start it again`,
      )
    }
    looked = performance.now()
  }
}

const inodeOf = (name: string) => statSync(name, { bigint: true, throwIfNoEntry: false })?.ino
