import { placeName } from '@tillkit/servers'
import type { Address } from '../engines/address.ts'
import { openSession } from '../engines/session.ts'

/** Something that cannot be had on this machine; the message says what is missing. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}

/** A database server on loopback. */
export interface Server {
  engine: 'postgres' | 'mysql'
  /** Of the database that the server has from the start. */
  url: string
}

export interface Database {
  address: Address
  drop(): Promise<void>
}

/** Makes an empty database on a server. */
export async function createDatabase({ engine, url }: Server): Promise<Database> {
  const name = placeName()
  const quoted = engine === 'postgres' ? `"${name}"` : `\`${name}\``
  const run = async (statement: string) => {
    const session = await openSession({ engine, url })
    await session.rows(statement).finally(() => session.close())
  }
  await run(`create database ${quoted}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return {
    address: { engine, url: own.href },
    drop: () =>
      run(engine === 'postgres' ? `drop database ${quoted} with (force)` : `drop database ${quoted}`),
  }
}

/** Whether a server answers at an address. */
export async function answers({ engine, url }: Server): Promise<boolean> {
  try {
    const session = await openSession({ engine, url })
    await session.rows('select 1').finally(() => session.close())
    return true
  } catch {
    return false
  }
}
