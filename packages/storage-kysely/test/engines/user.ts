import { placeName } from '@tillkit/servers'
import { sql } from 'kysely'
import { type Address, changedAddress, hostDatabaseAt } from './address.ts'
import type { TestDatabase } from './engine.ts'

/** A user of the test's own with no more than these rights, such as `select, insert`, on the tables that there are. */
export async function createUser(address: Address, rights: string): Promise<TestDatabase> {
  const name = placeName()
  const db = hostDatabaseAt(address)
  const run = async (...statements: string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(db)
  }
  if (address.dialect === 'postgres') {
    await run(
      `create role "${name}" login password 'weak'`,
      `grant usage on schema "${address.schema}" to "${name}"`,
      `grant ${rights} on all tables in schema "${address.schema}" to "${name}"`,
    )
  } else {
    await run(`create user '${name}'@'%' identified by 'weak'`, `grant ${rights} on * to '${name}'@'%'`)
  }
  return {
    address: changedAddress(address, url => Object.assign(url, { username: name, password: 'weak' })),
    async drop() {
      if (address.dialect === 'postgres') await run(`drop owned by "${name}"`, `drop role "${name}"`)
      else await run(`drop user '${name}'@'%'`)
      await db.destroy()
    },
  }
}
