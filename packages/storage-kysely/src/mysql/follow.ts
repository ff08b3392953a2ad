import type { Followed } from '../replicas/lag.ts'
import { valueAsked } from '../replicas/with-replica.ts'
import type { Session } from '../session/session.ts'

const MARIADB = {
  position: 'select @@global.gtid_binlog_pos as value',
  reached: 'select master_gtid_wait(?, 0) = 0 as value',
}

const MYSQL = {
  position: 'select @@global.gtid_executed as value',
  reached: 'select gtid_subset(?, @@global.gtid_executed) as value',
}

/** How MariaDB and MySQL tell how far a replica has come, by the ids of transactions in the binary log. */
export function follow(primary: Session, replica: Session): Followed {
  const ask = async () => {
    const version = await valueAsked<string>(primary, 'select version() as value')
    return /mariadb/i.test(version ?? '') ? MARIADB : MYSQL
  }
  let asked: Promise<typeof MARIADB> | undefined
  const words = () => {
    asked ??= ask().catch(error => {
      asked = undefined
      throw error
    })
    return asked
  }
  return {
    async position() {
      const position = await valueAsked<string>(primary, (await words()).position)
      if (!position) throw new Error('the server keeps no binary log, or gives transactions no ids')
      return position
    },
    hasReached: async position =>
      Number(await valueAsked(replica, (await words()).reached, [position])) === 1,
  }
}
