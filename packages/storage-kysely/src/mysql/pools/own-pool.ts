import type { Socket } from 'node:net'
import { DatabaseError } from '@tillkit/storage'
import type { Pool } from 'mysql2'
import type { TimeLimits } from '../../connections/limits/time-limits.ts'
import { within } from '../../connections/limits/within.ts'
import { notInstalled } from '../../faults/not-installed.ts'
import { kindOf, refuse } from '../../schema/invalid-input.ts'
import { cut, type MysqlClient, type MysqlPool } from './mysql-pool.ts'

/** What the address may say of how the server is reached. */
const KEPT = new Set([
  ...['ssl', 'socketPath', 'localAddress', 'compress', 'connectAttributes', 'connectTimeout'],
  ...['enableKeepAlive', 'keepAliveInitialDelay', 'insecureAuth', 'enableCleartextPlugin', 'disableEval'],
  ...['password1', 'password2', 'password3', 'passwordSha1'],
  ...['connectionLimit', 'maxIdle', 'idleTimeout', 'queueLimit', 'waitForConnections'],
])

/** What the address may say, to other programs perhaps, and what would change the meaning of a value or a row here. */
const SET_RIGHT = new Set([
  ...['charset', 'charsetNumber', 'flags', 'timezone', 'dateStrings', 'typeCast', 'jsonStrings'],
  ...['supportBigNumbers', 'bigNumberStrings', 'decimalNumbers', 'stringifyObjects', 'multipleStatements'],
  ...['rowsAsArray', 'nestTables', 'namedPlaceholders', 'queryFormat', 'maxPreparedStatements'],
  ...['resetOnRelease', 'gracefulEnd', 'debug', 'trace'],
])

/** The address without what is set right. Throws `TillError` for what is none. */
export function addressOf(uri: unknown): string {
  const wanted = 'uri must be a mysql:// or mariadb:// address'
  if (typeof uri !== 'string') refuse(`${wanted}, not ${kindOf(uri)}`)
  if (!URL.canParse(uri)) refuse(`${wanted}, and this is not a URL`)
  const url = new URL(uri)
  if (!/^(mysql|mariadb):$/.test(url.protocol)) refuse(`${wanted}, and this begins with ${url.protocol}`)
  if (url.hostname === '') refuse(`${wanted}, and this names no host`)
  for (const name of new Set(url.searchParams.keys())) {
    if (SET_RIGHT.has(name)) url.searchParams.delete(name)
    else if (!KEPT.has(name)) refuse(`uri has the parameter ${name}, which is not known`)
  }
  return url.href.replace(/^mariadb:/, 'mysql:')
}

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
