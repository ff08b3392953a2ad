import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from '@tillkit/storage'
import type { Pool, PoolClient, PoolConfig } from 'pg'
import { longestOf, type TimeLimits } from '../../connections/limits/time-limits.ts'
import { within } from '../../connections/limits/within.ts'
import { notInstalled } from '../../faults/not-installed.ts'
import { serversOf } from '../servers.ts'
import { oneOf } from './one-of-several.ts'
import { hear, type PgPool } from './pg-pool.ts'

/** A pool of Tillkit's own. */
export interface OwnPool {
  /** The pool, made at the first use. Throws `DatabaseError` where pg is not installed, and when it was closed. */
  open(): Promise<PgPool>
  /** Waits for what is in flight, no longer than a write may take, and ends the connections. */
  close(): Promise<void>
}

/** How long a connection may take to be made, in milliseconds. */
const TO_CONNECT = 5000

/** After how long without a word the other end is asked whether it is there, in milliseconds. */
const SILENCE = 10_000

/** After how long it is looked again whether somebody still waits for a connection, in milliseconds. */
const PAUSE = 10

const SETTINGS: PoolConfig = {
  connectionTimeoutMillis: TO_CONNECT,
  keepAlive: true,
  keepAliveInitialDelayMillis: SILENCE,
}

export function ownPool(connectionString: string, limits: Required<TimeLimits>): OwnPool {
  const clients = new Set<PoolClient>()
  let pools: Pool[] = []
  let opened: Promise<PgPool> | undefined
  let closed = false

  async function make(): Promise<PgPool> {
    const { default: pg } = await import('pg').catch(error => {
      throw notInstalled('pg', error)
    })
    const { addresses, asked } = serversOf(connectionString)
    pools = addresses.map(address => {
      const pool = new pg.Pool({ ...SETTINGS, connectionString: address })
      hear(pool as PgPool)
      pool.on('connect', client => {
        clients.add(client)
        client.once('end', () => clients.delete(client))
      })
      return pool
    })
    return asked || pools.length > 1
      ? oneOf(pools as PgPool[], asked, longestOf(limits))
      : (pools[0] as PgPool)
  }

  return {
    async open() {
      if (closed) throw new DatabaseError('the storage is closed')
      opened ??= make()
      return opened
    },

    async close() {
      closed = true
      const pool = await opened?.catch(() => undefined)
      if (!pool) return
      const late = performance.now() + limits.writeTimeoutSeconds * 1000
      // Who still waits for a connection when a pool of pg ends is never answered.
      while (pools.some(({ waitingCount }) => waitingCount > 0) && performance.now() < late)
        await sleep(PAUSE)
      await within(Math.max(0, late - performance.now()), pool.end())
      // What a path that is dead never says goodbye to.
      for (const client of clients) cut(client)
    },
  }
}

/** Ends a connection without a word to the other end. */
function cut(client: PoolClient): void {
  const { connection } = client as { connection?: { stream?: { destroy?(): void } } }
  if (connection?.stream?.destroy) connection.stream.destroy()
  else void client.end().catch(() => {})
}
