import { type RawBuilder, sql } from 'kysely'
import type { Followed } from '../replicas/lag.ts'
import type { Asked } from '../replicas/with-replica.ts'

/** How an engine says it. */
interface Words {
  /** Which server it is, as it says in the ids of transactions that it writes. */
  server: RawBuilder<string>
  /** How far its log has come. */
  position: RawBuilder<string | null>
  /** How far a replica has come, where the server can be asked whether it has written as much. */
  applied: RawBuilder<string | null>
  /** Whether that server's replica has come as far. */
  reached(position: string, server: string): RawBuilder<number | string | null>
}

const APPLIED = sql<string>`@@global.gtid_slave_pos`

const MARIADB: Words = {
  server: sql`concat(@@global.gtid_domain_id, '-', @@global.server_id, '-')`,
  position: sql`@@global.gtid_binlog_pos`,
  applied: APPLIED,
  // The ids go on from those of the server before: what a replica has beyond is to be this one's own.
  reached: (position, server) => sql`master_gtid_wait(${position}, 0) = 0
    and (${APPLIED} = ${position} or concat(',', ${APPLIED}) like ${`%,${server}%`})`,
}

const MYSQL: Words = {
  server: sql`@@global.server_uuid`,
  position: sql`@@global.gtid_executed`,
  applied: sql`null`,
  reached: position => sql`gtid_subset(${position}, @@global.gtid_executed)`,
}

/** How MariaDB and MySQL tell how far a replica has come, by the ids of transactions in the binary log. */
export function follow(primary: Asked, replica: Asked): Followed {
  const ask = async () => {
    const version = sql<{ version: string }>`select version() as version`.compile(primary.builder)
    return /mariadb/i.test((await primary.read.first(version))?.version ?? '') ? MARIADB : MYSQL
  }
  let asked: Promise<Words> | undefined
  const words = () => {
    asked ??= ask().catch(error => {
      asked = undefined
      throw error
    })
    return asked
  }
  /** True as well where it cannot be asked. */
  const hasWritten = async (applied: string) => {
    const { position } = await words()
    const query = tillOf(primary).select(position.as('position')).compile()
    const found = await primary.read.first(query).catch(() => undefined)
    const written = numbersOf(found?.position ?? '')
    return [...numbersOf(applied)].every(([domain, number]) => number <= (written.get(domain) ?? number))
  }
  return {
    async place() {
      const { server, position } = await words()
      const query = tillOf(primary).select([server.as('server'), position.as('position')])
      const found = await primary.read.first(query.compile())
      if (!found?.position) throw new Error('the server keeps no binary log, or gives transactions no ids')
      if (found.till === null) throw new Error('there are no tables yet')
      return { log: `${found.server} ${found.till}`, position: found.position }
    },
    async hasReached({ log, position }) {
      const [server = ''] = log.split(' ', 1)
      const { reached, applied } = await words()
      const asked = [reached(position, server).as('reached'), applied.as('applied')] as const
      const found = await replica.read.first(tillOf(replica).select(asked).compile())
      if (log !== `${server} ${found?.till}`) throw new Error('the replica has another database')
      const hasReached = Number(found?.reached) === 1
      // One that was put back to an earlier moment, by a copy of its disk, is the same server.
      if (hasReached && found?.applied && !(await hasWritten(found.applied)))
        throw new Error('the replica has more than the server that it follows')
      return hasReached
    },
  }
}

/** The last number of each domain: `0-1-200,1-5-3`. */
function numbersOf(ids: string): Map<string, bigint> {
  const parts = ids.split(',').map(id => id.trim().split('-'))
  return new Map(parts.flatMap(([domain = '', , number]) => (number ? [[domain, BigInt(number)]] : [])))
}

/** Which tables they are, as replicas have them and nobody else: those of that database that were made at that moment. */
function tillOf({ builder, schema }: Asked) {
  const place = schema === undefined ? sql`database()` : sql`${schema}`
  return builder
    .selectFrom('migrations')
    .select(({ fn }) => sql<string | null>`concat(${place}, ' ', ${fn.min('timestamp')})`.as('till'))
}
