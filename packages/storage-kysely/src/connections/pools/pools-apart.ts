import { DatabaseError } from '@tillkit/storage'

/** Pools for what may take long, each for one piece of work. */
export interface PoolsApart<Pool> {
  /** Does `work` with a pool, which is closed with it. Throws `DatabaseError` once these are closed. */
  with(work: (pool: Pool) => Promise<void>): Promise<void>
  /** Closes those that are open, whatever their work is at, and opens no more. */
  close(): Promise<void>
}

/** Pools that `make` makes: with a storage's end theirs comes too, so that a process which has closed it ends. */
export function poolsApart<Pool extends { close(): Promise<void> }>(make: () => Pool): PoolsApart<Pool> {
  const open = new Set<Pool>()
  let closed = false
  return {
    async with(work) {
      if (closed) throw new DatabaseError('the storage is closed')
      const pool = make()
      open.add(pool)
      try {
        await work(pool)
      } finally {
        if (open.delete(pool)) await pool.close()
      }
    },
    async close() {
      closed = true
      const pools = [...open]
      open.clear()
      await Promise.all(pools.map(pool => pool.close()))
    },
  }
}
