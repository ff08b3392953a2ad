import { access } from 'node:fs/promises'
import { freePort } from './free-port.ts'
import { NOBODY } from './nobody.ts'
import { ownMariadb } from './own-mariadb.ts'
import type { OwnServer } from './own-server.ts'

const LIBRARIES = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so']

/** On a machine that is busy a port may be taken between the moment it is found free and a server's start. */
const TRIES = 3

/**
 * Starts a Galera cluster of MariaDB servers, each of which takes writes. All but the first may be killed and started
 * again. Resolves to null where Galera is not installed; rejects, saying why, where it does not start.
 */
export async function ownGalera(nodes: number): Promise<OwnServer[] | null> {
  const library = await firstOf(LIBRARIES)
  if (library === null) return null
  for (let tries = 1; ; tries++) {
    try {
      return await startGalera(library, nodes)
    } catch (error) {
      if (tries === TRIES) throw error
    }
  }
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
      servers.push(await ownMariadb({ running, user }))
      members.push(`${host}:${group}`)
    }
    return servers
  } catch (error) {
    for (const server of servers.reverse()) await server.remove()
    throw error
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
