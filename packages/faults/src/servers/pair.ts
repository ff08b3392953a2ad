import { type OwnServer, type OwnStandby, ownPostgres, ownStandby } from '@tillkit/servers'
import { type Database, Unavailable } from './database.ts'

/** A server and the one that takes over when it dies: what was committed on one is on the disk of both. */
export interface Pair {
  primary: OwnServer
  standby: OwnStandby
}

/** Starts two servers for one database, whose address names both; they go with it. Throws `Unavailable` where they cannot be had. */
export async function databaseOfPair(): Promise<{ pair: Pair; database: Database }> {
  const settings = { max_wal_size: '64MB' }
  const primary = await ownPostgres({ settings }).catch(error => {
    throw new Unavailable(`no server of its own could be started: ${error?.message}`)
  })
  try {
    const standby = await ownStandby(primary, true, { settings })
    const { host } = new URL(primary.url)
    const url = primary.url.replace(host, `${host},${new URL(standby.url).host}`)
    const drop = async () => {
      await standby.remove()
      await primary.remove()
    }
    return { pair: { primary, standby }, database: { address: { engine: 'postgres', url }, drop } }
  } catch (error) {
    await primary.remove()
    throw error
  }
}
