import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import mysql from 'mysql2/promise'
import { backWhen } from '../process/back-when.ts'
import { atFreePorts, freePort } from '../process/free-port.ts'
import type { OwnServer } from '../process/own-server.ts'
import { ownMysql } from './own-mysql.ts'

export interface OwnGroupOptions {
  /** The servers' program, `mysqld` of MySQL. */
  program: string
  nodes: number
  /** Whether the first of them takes writes, until it is gone, or each does. */
  primaries: 'one' | 'each'
  /** Settings of each server. */
  running?: Record<string, string>
}

/** How long others may refuse a server that joins, in milliseconds. */
const PATIENCE = 60_000

/**
 * Starts servers of MySQL that replicate as a group. Each may be killed while most are there, and joins again when it is
 * started. Rejects, saying why, where it does not start.
 */
export function ownGroup(options: OwnGroupOptions): Promise<OwnServer[]> {
  return atFreePorts(() => startGroup(options))
}

async function startGroup({ program, nodes, primaries, running }: OwnGroupOptions): Promise<OwnServer[]> {
  const name = randomUUID()
  const members: string[] = []
  while (members.length < nodes) members.push(`127.0.0.1:${await freePort()}`)
  const each = primaries === 'each' ? 'ON' : 'OFF'
  const servers: OwnServer[] = []
  try {
    for (const [n, member] of members.entries()) {
      const settings = {
        'server-id': `${n + 1}`,
        'gtid-mode': 'ON',
        'enforce-gtid-consistency': 'ON',
        'plugin-load-add': 'group_replication.so',
        'report-host': '127.0.0.1',
        'loose-group-replication-group-name': name,
        'loose-group-replication-local-address': member,
        'loose-group-replication-group-seeds': members.join(','),
        'loose-group-replication-start-on-boot': 'OFF',
        'loose-group-replication-single-primary-mode': each === 'ON' ? 'OFF' : 'ON',
        'loose-group-replication-enforce-update-everywhere-checks': each,
        // Five seconds of silence are enough here: then the others go on without it.
        'loose-group-replication-member-expel-timeout': '0',
        ...running,
      }
      const server = await ownMysql({ program, running: settings })
      servers.push(server)
      await join(server.url, n === 0)
    }
    return servers.map(server => backWhen(server, url => join(url, false)))
  } catch (error) {
    for (const server of servers.reverse()) await server.remove()
    throw error
  }
}

/** Has a server join its group, or begin it. The others let no one in whom they still take for a member that is gone. */
async function join(url: string, begins: boolean): Promise<void> {
  const connection = await mysql.createConnection(url)
  const run = (statement: string) => connection.query(statement)
  const bootstrap = (value: 'on' | 'off') => run(`set global group_replication_bootstrap_group = ${value}`)
  try {
    await run("change replication source to source_user = 'root' for channel 'group_replication_recovery'")
    if (begins) await bootstrap('on')
    const until = performance.now() + PATIENCE
    for (;;) {
      const failed = await run('start group_replication').then(
        () => undefined,
        error => error,
      )
      if (!failed && (await isOnline(connection))) break
      if (performance.now() > until)
        throw failed ?? new Error('the server was let in and left its group again')
      await sleep(1000)
      await run('stop group_replication')
    }
    if (begins) await bootstrap('off')
  } finally {
    await connection.end()
  }
}

/** Whether a server that was let in has all that the others have, once it is known. */
async function isOnline(connection: mysql.Connection): Promise<boolean> {
  for (;;) {
    const [[row]] = await connection.query<mysql.RowDataPacket[]>(
      'select member_state as state from performance_schema.replication_group_members where member_id = @@server_uuid',
    )
    if (row?.state === 'ONLINE') return true
    if (row?.state !== 'RECOVERING') return false
    await sleep(50)
  }
}
