import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { PATIENT, placeName } from '@tillkit/servers'
import type { DatabaseStorage } from '@tillkit/storage-kysely'
import { mysqlStorage } from '@tillkit/storage-kysely/mysql'
import { postgresStorage } from '@tillkit/storage-kysely/postgres'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Folder, openFolder } from './folder.ts'
import { commandsOf } from './page.ts'

/** A database in use, and one that the page's commands make of it. */
interface Places {
  used: DatabaseStorage
  restored(): DatabaseStorage
  /** The page's commands, said of these databases. */
  commands: string[]
  env?: Record<string, string>
}

interface Engine {
  name: string
  /** Why its commands cannot be run here. */
  missing: string | undefined
  open(folder: Folder): Promise<Places>
}

const PAGE = commandsOf('production.md')
const commandsFor = (...programs: string[]) =>
  PAGE.filter(command => programs.includes(command.split(' ')[0] ?? ''))

/** What a program says of its version, or nothing where it is not installed. */
const versionOf = (program: string) => spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? ''

const sqlite: Engine = {
  name: 'SQLite',
  missing: versionOf('sqlite3') ? undefined : 'sqlite3 is not installed',
  async open({ path }) {
    return {
      used: sqliteStorage({ file: join(path, 'till.db') }),
      restored: () => sqliteStorage({ file: join(path, 'till-backup.db') }),
      commands: commandsFor('sqlite3'),
    }
  },
}

const POSTGRES = process.env.TILLKIT_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test'

async function onPostgres(statement: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: POSTGRES })
  await client.connect()
  const { rows } = await client.query(statement).finally(() => client.end())
  return rows
}

async function postgres(): Promise<Engine> {
  const [answer] = await onPostgres('show server_version').catch(() => [])
  const major = Number.parseInt(/\d+/.exec(versionOf('pg_dump'))?.[0] ?? '0', 10)
  const needed = Number.parseInt(answer?.server_version ?? '0', 10)
  return {
    name: 'PostgreSQL',
    missing:
      needed === 0 ? 'no server answers' : major < needed ? `there is no pg_dump ${needed}` : undefined,
    async open() {
      const [used, restored] = [placeName(), placeName()]
      await onPostgres(`create database "${used}"`)
      onTestFinished(async () => {
        for (const name of [used, restored])
          await onPostgres(`drop database if exists "${name}" with (force)`)
      })
      const urlOf = (name: string) => Object.assign(new URL(POSTGRES), { pathname: `/${name}` }).href
      const at = (name: string) =>
        postgresStorage({ connectionString: urlOf(name), ...PATIENT }, { schema: 'tillkit' })
      return {
        used: at(used),
        restored: () => at(restored),
        commands: commandsFor('pg_dump', 'createdb').map(command =>
          command
            .replace('createdb restored', `createdb --maintenance-db='${POSTGRES}' '${restored}'`)
            .replace('--dbname=restored', `--dbname='${urlOf(restored)}'`),
        ),
        env: { DATABASE_URL: urlOf(used) },
      }
    },
  }
}

const MYSQL = new URL(process.env.TILLKIT_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/test')

async function onMysql(statement: string): Promise<mysql.RowDataPacket[]> {
  const connection = await mysql.createConnection(MYSQL.href)
  const [rows] = await connection.query<mysql.RowDataPacket[]>(statement).finally(() => connection.end())
  return rows
}

/** MariaDB or MySQL, and the programs of the same maker: where MariaDB is installed `mysqldump` is often its own. */
async function mysqlEngine(): Promise<Engine> {
  const [answer] = await onMysql('select version() as version').catch(() => [])
  const isMysql = answer !== undefined && !/mariadb/i.test(answer.version)
  const [name, dump, client] = isMysql
    ? (['MySQL', 'mysqldump', 'mysql'] as const)
    : (['MariaDB', 'mariadb-dump', 'mariadb'] as const)
  const version = versionOf(dump)
  const isThere = isMysql ? version !== '' && !/mariadb/i.test(version) : version !== ''
  return {
    name,
    missing: !answer ? 'no server answers' : isThere ? undefined : `${dump} of ${name} is not installed`,
    async open() {
      const [used, restored] = [placeName(), placeName()]
      for (const name of [used, restored]) await onMysql(`create database \`${name}\``)
      onTestFinished(async () => {
        for (const name of [used, restored]) await onMysql(`drop database if exists \`${name}\``)
      })
      const at = (name: string) =>
        mysqlStorage({ uri: Object.assign(new URL(MYSQL), { pathname: `/${name}` }).href, ...PATIENT })
      const server = `--no-defaults -h ${MYSQL.hostname} -P ${MYSQL.port || 3306} -u ${MYSQL.username}`
      return {
        used: at(used),
        restored: () => at(restored),
        commands: commandsFor(dump, client).map(command =>
          command
            .replace(/^\S+/, `$& ${server}`)
            .replace(' till >', ` ${used} >`)
            .replace(' restored <', ` ${restored} <`),
        ),
        env: { MYSQL_PWD: MYSQL.password },
      }
    },
  }
}

describe.each([sqlite, await postgres(), await mysqlEngine()])('$name', ({ missing, open }) => {
  test.skipIf(missing)(
    `is restored as it was at one moment ${missing ?? ''}`.trim(),
    { timeout: 300_000 },
    async () => {
      const folder = await openFolder()
      const { used, restored, commands, env } = await open(folder)
      await used.migrate()
      const till = createTill({ storage: used, logger: false })
      await till.merchants.create({
        id: 'coffee',
        name: 'Corner Coffee',
        webhookUrl: 'https://coffee.example',
      })
      await till.scanCodes.create('coffee', { code: 'counter' })
      const pay = async () =>
        till.payments.complete(await till.payments.start({ scanCode: 'counter', totalAmount: 450 }))
      for (let n = 0; n < 20; n++) await pay()

      let trading = true
      const shop = (async () => {
        while (trading) {
          await pay()
          await setImmediate() // SQLite answers before anything else is heard of
        }
      })()
      expect(commands.length).toBeGreaterThan(0)
      for (const command of commands) {
        const { code, output } = await folder.run('sh', ['-c', command], env).ended
        expect([command, code, output]).toEqual([command, 0, ''])
      }
      trading = false
      await shop
      const last = (await till.payments.list('coffee')).total
      await till.close()
      await used.close()

      const storage = restored()
      const again = createTill({ storage, logger: false })
      await storage.migrate()
      const { total } = await again.payments.list('coffee')
      expect(total).toBeGreaterThanOrEqual(20)
      expect(total).toBeLessThanOrEqual(last)
      const oldest = await again.payments.list('coffee', { perPage: 1, offset: total - 1 })
      expect(oldest.items[0]?.id).toBe(1)
      const completed = await again.payments.list('coffee', { filter: { status: 'completed' } })
      expect((await again.webhooks.list('coffee')).total).toBe(completed.total)
      expect(await again.payments.start({ scanCode: 'counter', totalAmount: 450 })).toMatchObject({
        id: total + 1,
      })
      await again.close()
      await storage.close()
    },
  )
})
