import { isLeftOver } from '@tillkit/servers'
import { openSession } from '../engines/session.ts'
import { answers, type Server } from './database.ts'

const GIVEN = {
  postgres: process.env.TILLKIT_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test',
  mysql: process.env.TILLKIT_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/test',
}

const DATABASES = {
  postgres: 'select datname as name from pg_database',
  mysql: 'select schema_name as name from information_schema.schemata',
}

/** The server that is there already, where one answers, without what killed processes of this machine left on it. */
export async function givenServer(engine: Server['engine']): Promise<Server | undefined> {
  const server: Server = { engine, url: GIVEN[engine] }
  if (!(await answers(server))) return undefined
  const session = await openSession(server)
  for (const { name } of await session.rows(DATABASES[engine])) {
    if (!isLeftOver(`${name}`)) continue
    const drop =
      engine === 'postgres' ? `drop database if exists "${name}"` : `drop database if exists \`${name}\``
    // Another process sweeps too.
    await session.rows(drop).catch(() => {})
  }
  await session.close()
  return server
}
