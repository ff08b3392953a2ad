import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OwnServer, ownPostgres } from '@tillkit/servers'
import { createTill, type Payment, type Till } from '@tillkit/till'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DatabaseError, type MigrateOptions } from '../../src/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { openHook } from '../clocks/hook.ts'
import { PATIENT } from '../engines/address.ts'
import { REQUEST } from '../inspection/checked.ts'
import { startedOr } from '../inspection/servers.ts'

const SHOPS = ['corner', 'market', 'station']

const page = await readFile(join(import.meta.dirname, '../../docs/by-hand.md'), 'utf8')

/** The statements of a block of the page, filled in. */
function statementsOf(file: string, given: Record<string, string> = {}): string[] {
  const text = new RegExp(`^\`\`\`sql ${file}\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? ''
  const filled = text.replaceAll(/<(\w+)>/g, (_, name) => `${given[name]}`)
  return filled.split(';\n').filter(statement => statement.trim() !== '')
}

const { server, why } = await startedOr(() => ownPostgres({ settings: { wal_level: 'logical' } }))

describe.skipIf(!server)(`a database that moves by logical replication${why}`, () => {
  const from = server as OwnServer
  let to: OwnServer
  beforeAll(async () => {
    to = await ownPostgres()
  })
  afterAll(async () => {
    await to?.remove()
    await from.remove()
  })

  /** A database of a server: its address, and the first column of what statements answer there, in order. */
  async function databaseAt({ url }: OwnServer, name: string) {
    const owner = new pg.Client({ connectionString: url })
    await owner.connect()
    await owner.query(`create database ${name}`)
    await owner.end()
    const connectionString = url.replace(/[^/]*$/, name)
    const client = new pg.Client({ connectionString })
    await client.connect()
    onTestFinished(() => client.end())
    const ask = async (statements: string[]) => {
      const answers: unknown[] = []
      for (const text of statements) {
        const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' })
        answers.push(...rows.map(([first]) => first))
      }
      return answers
    }
    return { connectionString, ask }
  }

  /** A till with its worker, and what is to be closed of it. */
  function host(connectionString: string) {
    const storage = postgresStorage({ connectionString, ...PATIENT })
    const webhooks = { allowHttp: true, allowPrivateAddresses: true }
    const till = createTill({ storage, logger: false, webhooks })
    const close = async () => {
      await till.close()
      await storage.close()
    }
    return { storage, till, close }
  }

  test.each<[string, string, MigrateOptions]>([
    ['as it is', 'as_it_is', {}],
    ['into partitions', 'into_partitions', { partitions: 4 }],
  ])('%s: nothing that was acknowledged is lost, and nothing happens twice', async (_, name, layout) => {
    const hook = await openHook()
    onTestFinished(() => hook.close())
    const [old, anew] = [await databaseAt(from, name), await databaseAt(to, name)]
    const before = host(old.connectionString)
    await before.storage.migrate()
    for (const id of SHOPS) {
      await before.till.merchants.create({ id, name: id, webhookUrl: `${hook.url}/well` })
      await before.till.scanCodes.create(id, { code: id })
    }
    before.till.webhooks.start()
    const load = underLoad(before.till)
    await load.more()

    const after = host(anew.connectionString)
    onTestFinished(after.close)
    await after.storage.migrate(layout)
    await old.ask(statementsOf('published.sql'))
    const { hostname, port, username } = new URL(from.url)
    const connection = `host=${hostname} port=${port} user=${username} dbname=${name}`
    await anew.ask(statementsOf('subscribed.sql', { connection }))
    await until(async () => (await anew.ask(statementsOf('not-yet-copied.sql'))).length === 0)
    await load.more()

    await load.stop()
    await before.close()
    const forgotten = host(old.connectionString)
    onTestFinished(forgotten.close)
    await forgotten.till.payments.get('corner', 1)
    const position = `${(await old.ask(statementsOf('no-more-writes.sql', { database: name }))).at(-1)}`
    const late = forgotten.till.payments.start({ scanCode: 'corner', totalAmount: 1 })
    await expect(late).rejects.toThrow(DatabaseError)
    const isThere = async () => (await old.ask(statementsOf('caught-up.sql', { position })))[0] === true
    await until(isThere)
    await anew.ask(statementsOf('ended.sql'))

    const { till } = after
    for (const id of SHOPS) {
      const payments = load.acknowledged.filter(({ merchantId }) => merchantId === id)
      const { items, total } = await till.payments.list(id, { perPage: 100 })
      expect(total).toBe(payments.length)
      expect(items).toEqual(payments.toSorted((a, b) => b.id - a.id).slice(0, 100))
      const [last] = items
      const again = { scanCode: id, totalAmount: last?.totalAmount ?? 0, attemptKey: keyOf(last) }
      expect(await till.payments.start(again)).toEqual(last)
      const next = await till.payments.start({ scanCode: id, totalAmount: 1 })
      expect(next.id).toBe((last?.id ?? 0) + 1)
      await till.payments.complete(next)
      await till.cashUps.create(id)
    }
    const inspected = await after.storage.inspect?.(REQUEST)
    expect(inspected?.findings.filter(({ level }) => level !== 'ok')).toEqual([])
    till.webhooks.start()
    await until(async () => (await till.webhooks.counts()).pending === 0)
    const sent = load.acknowledged.map(({ merchantId, id }) => `${merchantId}:${id}`)
    expect(sent.filter(one => hook.posts.get(one) !== 1)).toEqual([])
    expect(hook.posts.size).toBe(sent.length + SHOPS.length)
  })

  test('all tables are published but that of migrations', async () => {
    const { connectionString, ask } = await databaseAt(from, 'published')
    const storage = postgresStorage({ connectionString, ...PATIENT })
    await storage.migrate()
    await storage.close()
    await ask(statementsOf('published.sql'))
    const tables = `select tablename::text from pg_tables where schemaname = 'public' order by 1`
    const published = `select tablename::text from pg_publication_tables union select 'tillkit_migrations' order by 1`
    expect(await ask([published])).toEqual(await ask([tables]))
  })
})

/** Hosts that take payments without a pause, of all shops, and now and then end a period. */
function underLoad(till: Till) {
  const acknowledged: Payment[] = []
  let over = false
  const take = async (id: string) => {
    for (let n = 0; !over; n++) {
      const attemptKey = `${id} ${n}`
      const started = await till.payments.start({ scanCode: id, totalAmount: n + 1, attemptKey })
      const end = n % 3 === 0 ? till.payments.fail : till.payments.complete
      acknowledged.push(await end(started))
      if (n % 10 === 9) await till.cashUps.create(id)
    }
  }
  const callers = Promise.all(SHOPS.map(take))
  return {
    acknowledged,
    /** Resolves when so many more have been taken. */
    async more() {
      const count = acknowledged.length + 60
      await until(async () => acknowledged.length >= count)
    },
    async stop() {
      over = true
      await callers
    },
  }
}

/** The attempt that a payment was made for: its amount says which. */
function keyOf(payment: Payment | undefined): string {
  return `${payment?.merchantId} ${(payment?.totalAmount ?? 0) - 1}`
}

async function until(reached: () => Promise<boolean>): Promise<void> {
  while (!(await reached())) await sleep(20)
}
