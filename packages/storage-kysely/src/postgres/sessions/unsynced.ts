import type { Notice, PgClient } from '../pools/pg-pool.ts'

/** The place in PostgreSQL where a commit waits for its standby. What is said there is in the server's own language. */
const SYNC_WAIT = 'SyncRepWaitForLSN'

const heard = new WeakSet<PgClient>()
const unsynced = new WeakSet<PgClient>()

/**
 * Hears from now on whether a commit of this session is answered though its standby has not got it: where somebody cancels the
 * statement or ends the session while it waits, PostgreSQL warns, and has committed all the same.
 */
export function hearUnsynced(client: PgClient): void {
  unsynced.delete(client)
  if (heard.has(client)) return
  heard.add(client)
  client.on?.('notice', ({ routine }: Notice) => {
    if (routine === SYNC_WAIT) unsynced.add(client)
  })
}

/** Whether it was so since this was last asked, or the session was handed out. */
export function wasUnsynced(client: PgClient): boolean {
  return unsynced.delete(client)
}
