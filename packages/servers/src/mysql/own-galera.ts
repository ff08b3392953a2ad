import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import mysql from 'mysql2/promise'
import { backWhen } from '../process/back-when.ts'
import { atFreePorts, freePort } from '../process/free-port.ts'
import { NOBODY } from '../process/nobody.ts'
import type { OwnServer } from '../process/own-server.ts'
import { ownMariadb } from './own-mariadb.ts'

const LIBRARIES = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so']

/** How long a node may take until it has what the others have, in milliseconds. */
const PATIENCE = 60_000

/**
 * Starts a Galera cluster of MariaDB servers, each of which takes writes. All but the first may be killed and started
 * again. Resolves to null where Galera is not installed; rejects, saying why, where it does not start.
 */
export async function ownGalera(nodes: number): Promise<OwnServer[] | null> {
  const library = await firstOf(LIBRARIES)
  if (library === null) return null
  return atFreePorts(() => startGalera(library, nodes))
}

async function startGalera(library: string, nodes: number): Promise<OwnServer[]> {
  // rsync, run by root, reads and writes as nobody, who may not enter a folder of root's.
  const user = process.getuid?.() === 0 ? NOBODY : undefined
  const servers: OwnServer[] = []
  const members: string[] = []
  try {
    for (let n = 0; n < nodes; n++) {
      const [group, increments, snapshots] = [await freePort(), await freePort(), await freePort()]
      const host = '127.0.0.1'
      const options = [
        `gmcast.listen_addr=tcp://${host}:${group}`,
        `ist.recv_addr=${host}:${increments}`,
        'gcache.size=16M',
      ]
      const running = {
        'wsrep-on': 'ON',
        'wsrep-provider': library,
        // From 11.8 on a plugin of the same name makes variables of most of its options, and none can be changed as one any more.
        'loose-plugin-wsrep-provider': 'OFF',
        'wsrep-cluster-address': `gcomm://${members.join(',')}`,
        'wsrep-node-address': `${host}:${group}`,
        'wsrep-provider-options': options.join(';'),
        'wsrep-sst-method': 'rsync',
        'wsrep-sst-receive-address': `${host}:${snapshots}`,
        'binlog-format': 'ROW',
        'innodb-autoinc-lock-mode': '2',
      }
      const server = await ownMariadb({ running, user })
      servers.push(server)
      await synced(server.url)
      members.push(`${host}:${group}`)
    }
    return servers.map(server => backWhen(server, synced))
  } catch (error) {
    for (const server of servers.reverse()) await server.remove()
    throw error
  }
}

/** Resolves when a node takes statements: it answers before it has what the others have, and refuses each until then. */
async function synced(url: string): Promise<void> {
  const connection = await mysql.createConnection(url)
  try {
    const until = performance.now() + PATIENCE
    for (;;) {
      const [[row]] = await connection.query<mysql.RowDataPacket[]>(
        "show status like 'wsrep_local_state_comment'",
      )
      if (row?.Value === 'Synced') return
      if (performance.now() > until)
        throw new Error(`the node does not join its cluster: it is ${row?.Value}`)
      await sleep(50)
    }
  } finally {
    await connection.end()
  }
}

async function firstOf(files: string[]): Promise<string | null> {
  for (const file of files) {
    const there = await access(file).then(
      () => true,
      () => false,
    )
    if (there) return file
  }
  return null
}
