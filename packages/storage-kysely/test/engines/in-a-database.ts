import type { Kysely } from 'kysely'
import { beforeEach } from 'vitest'
import { type Address, type HostTables, hostDatabaseAt } from './address.ts'
import type { Engine } from './engine.ts'

export interface HostDatabase {
  readonly address: Address
  readonly db: Kysely<HostTables>
}

/** Opens a database with nothing in it before each test of a suite, as a host has one, and drops it after. */
export function inADatabase(create: Engine['create']): HostDatabase {
  const host: { -readonly [Part in keyof HostDatabase]?: HostDatabase[Part] } = {}
  beforeEach(async () => {
    const { address, drop } = await create()
    const db = hostDatabaseAt(address)
    Object.assign(host, { address, db })
    return async () => {
      await db.destroy()
      await drop()
    }
  })
  return host as HostDatabase
}
