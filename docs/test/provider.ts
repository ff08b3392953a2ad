import { randomBytes } from 'node:crypto'
import { placeName } from '@tillkit/servers'
import pg from 'pg'
import type { Folder } from './folder.ts'
import { blocksOf, fileOf } from './page.ts'

/** The administrator's client, as long as the work takes. */
export async function asAdministrator<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return work(client).finally(() => client.end())
}

/** A fresh database with the two roles of the page, and the folder's programs of both pages. */
export async function openProvider(folder: Folder, url: string) {
  const database = placeName().toLowerCase()
  await asAdministrator(url, client => client.query(`create database "${database}"`))
  const at = (role?: string) => {
    const address = new URL(url)
    address.pathname = `/${database}`
    if (role) address.username = role
    return address.href
  }
  // Roles are the whole server's: each database has its own.
  const suffix = randomBytes(4).toString('hex')
  const roles = fileOf('production.md', 'roles.sql').replaceAll(/tillkit_(owner|host)/g, `$&_${suffix}`)
  await asAdministrator(at(), client => client.query(roles))

  for (const page of ['production.md', 'processor.md']) {
    for (const { file, text } of blocksOf(page)) {
      // However long a test takes, an address that is counted is counted for all of it.
      if (file?.endsWith('.js'))
        await folder.write(file, text.replace("('address', 60, 60)", "('address', 60, 3600)"))
    }
  }
  const TILLKIT_SECRETS = JSON.stringify({ current: 'k1', keys: { k1: randomBytes(32).toString('base64') } })
  return {
    administrator: at(),
    owner: { DATABASE_URL: at(`tillkit_owner_${suffix}`) },
    host: { DATABASE_URL: at(`tillkit_host_${suffix}`), TILLKIT_SECRETS },
  }
}
