import type { Socket } from 'node:net'
import { DatabaseError } from '@tillkit/storage'
import type { Pool } from 'mysql2'
import type { TimeLimits } from '../../connections/limits/time-limits.ts'
import { within } from '../../connections/limits/within.ts'
import { notInstalled } from '../../faults/not-installed.ts'
import { cut, type MysqlClient, type MysqlPool } from './mysql-pool.ts'

/** A pool of Tillkit's own. */
export interface OwnPool {
  /** The pool, made at the first use. Throws `DatabaseError` where mysql2 is not installed, and when it was closed. */
  open(): Promise<MysqlPool>
  /** Waits for what is in flight, no longer than a write may take, and ends the connections. */
  close(): Promise<void>
}

/** How long a connection may take to be made, in milliseconds. */
const TO_CONNECT = 5000

/** After how long without a word the other end is asked whether it is there, in milliseconds. */
const SILENCE = 10_000

/** What holds where the address says nothing else. */
const SETTINGS = { connectTimeout: TO_CONNECT, keepAliveInitialDelay: SILENCE }

/** A pool of ten connections, unless the address says another number. */
export function ownPool(address: string, { writeTimeoutSeconds }: Required<TimeLimits>): OwnPool {
  const clients = new Set<MysqlClient>()
  const held = new Set<MysqlClient>()
  let opened: Promise<Pool> | undefined
  let closed = false
  let idle = () => {}

  async function make(): Promise<Pool> {
    const { default: mysql } = await import('mysql2').catch(error => {
      throw notInstalled('mysql2', error)
    })
    const said = new URL(address).searchParams
    // What stands beside the address mysql2 prefers to what it says.
    const settings = Object.entries(SETTINGS).filter(([name]) => !said.has(name))
    const pool = mysql.createPool({
      uri: address,
      charset: 'UTF8MB4_UNICODE_CI',
      ...Object.fromEntries(settings),
    })
    const left = (client: MysqlClient) => {
      held.delete(client)
      if (held.size === 0) idle()
    }
    pool.on('connection', client => {
      clients.add(client)
      client.on('error', () => {})
      const { stream } = client as unknown as { stream: Socket }
      stream.once('close', () => {
        clients.delete(client)
        left(client)
      })
    })
    pool.on('acquire', client => held.add(client))
    pool.on('release', left)
    return pool
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
      const unused = new Promise<void>(resolve => {
        idle = resolve
        if (held.size === 0) resolve()
      })
      const ended = unused.then(() => new Promise<unknown>(resolve => pool.end(resolve)))
      await within(writeTimeoutSeconds * 1000, ended)
      // What a path that is dead never says goodbye to, and what the farewell left open.
      for (const client of clients) cut(client)
    },
  }
}
