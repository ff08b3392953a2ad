import type { Dialect } from '../dialects/dialect.ts'
import type { WriteOptions } from '../session/database.ts'
import { BATCH_LOCK_WAIT } from '../session/transactions/in-batches.ts'

/**
 * How writes of several merchants are made in one transaction. In steps, as on MariaDB and MySQL, it holds the locks of all of them: what
 * one of them keeps it from, by a lock that it waits for in vain or an id that is taken, is met once, and then each goes alone.
 */
export function ofSeveral({ composes }: Pick<Dialect, 'composes'>): WriteOptions {
  return { statement: composes, saysLimit: true, ...(!composes && { lockWait: BATCH_LOCK_WAIT }) }
}
