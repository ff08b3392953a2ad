import { type RawBuilder, sql } from 'kysely'
import type { Followed } from '../replicas/lag.ts'
import type { Asked } from '../replicas/with-replica.ts'

/** How an engine says it. */
interface Words {
  /** Which server it is, as it says in the ids of transactions that it writes. */
  server: RawBuilder<string>
  /** How far its log has come. */
  position: RawBuilder<string | null>
  /** Whether that server's replica has come as far. */
  reached(position: string, server: string): RawBuilder<number | string | null>
}

const APPLIED = sql`@@global.gtid_slave_pos`

const MARIADB: Words = {
  server: sql`concat(@@global.gtid_domain_id, '-', @@global.server_id, '-')`,
  position: sql`@@global.gtid_binlog_pos`,
  // The ids go on from those of the server before: what a replica has beyond is to be this one's own.
  reached: (position, server) => sql`master_gtid_wait(${position}, 0) = 0
    and (${APPLIED} = ${position} or concat(',', ${APPLIED}) like ${`%,${server}%`})`,
}

const MYSQL: Words = {
  server: sql`@@global.server_uuid`,
  position: sql`@@global.gtid_executed`,
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
      const reached = (await words()).reached(position, server)
      const found = await replica.read.first(tillOf(replica).select(reached.as('reached')).compile())
      if (log !== `${server} ${found?.till}`) throw new Error('the replica has another database')
      return Number(found?.reached) === 1
    },
  }
}

/** Which tables they are, as replicas have them and nobody else: those of that database that were made at that moment. */
function tillOf({ builder, schema }: Asked) {
  const place = schema === undefined ? sql`database()` : sql`${schema}`
  return builder
    .selectFrom('migrations')
    .select(({ fn }) => sql<string | null>`concat(${place}, ' ', ${fn.min('timestamp')})`.as('till'))
}
