import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { send } from '../../src/postgres/pools/pg-pool.ts'
import { arrayQuery } from '../../src/postgres/wire/array-query.ts'
import type { TestDatabase } from '../engines/engine.ts'
import { overPostgres } from '../engines/index.ts'

/** What is kept by a name, or sent for this once. */
type Statement = [name: string | undefined, text: string, ...values: unknown[]]

const BEFORE = `select where set_config('application_name', 'between', false) is null`
const AFTER = `select where set_config('application_name', 'after', false) is null`

/** Statements in one message, each with a plan that the session keeps: a crowd at a node of a cluster sends those of its shards so. */
overPostgres(({ create }) => {
  let database: TestDatabase
  let client: pg.Client
  let parsed: string[]

  beforeEach(async () => {
    database = await create()
    if (database.address.dialect !== 'postgres') throw new Error('only PostgreSQL has such queries')
    client = new pg.Client({ connectionString: database.address.connectionString })
    await client.connect()
    await client.query('create temp table taken (id integer primary key, flag boolean, note text)')
    parsed = []
    const { connection } = client as unknown as { connection: { parse(given: { name: string }): void } }
    const parse = connection.parse.bind(connection)
    connection.parse = given => {
      if (given.name) parsed.push(given.name)
      parse(given)
    }
  })

  afterEach(async () => {
    await client.end()
    await database.drop()
  })

  function together(statements: Statement[], way = {}) {
    const query = arrayQuery(
      client as unknown as { connection: object },
      statements.map(([name, text, ...values]) => ({ name, text, values })),
      way,
    )
    if (!query) throw new Error('pg speaks otherwise')
    return send(client as unknown as Parameters<typeof send>[0], query)
  }

  const put: Statement = ['put', 'insert into taken values ($1, $2, $3) returning id, flag, note']
  const list = async () => (await client.query('select id from taken order by id')).rows.map(({ id }) => id)

  test('each has its own columns, and their rows come one after another', async () => {
    const statements: Statement[] = [
      [...put, 1, true, 'née'],
      ['none', 'select id from taken where id > $1', 7],
      ['name', `select note, current_setting('application_name') from taken where id = $1`, 1],
      [...put, 2, false, null],
      [undefined, 'select count(*), max(id) from taken'],
    ]
    const rows = [
      [1, true, 'née'],
      ['née', 'between'],
      [2, false, null],
      [2, 2],
    ]
    for (let n = 0; n < 3; n++) {
      await client.query('truncate taken')
      const answer = await together(statements, { around: { before: [BEFORE], after: [AFTER] } })
      expect(answer).toMatchObject({ rows, rowCount: 4 })
    }
    expect(parsed).toEqual(['put', 'none', 'name'])
    expect((await client.query('show application_name')).rows).toEqual([{ application_name: 'after' }])
  })

  test('they are one transaction: an error in one undoes those before it, and the session goes on', async () => {
    await together([[...put, 1, true, null]])
    const twice: Statement[] = [
      [...put, 2, true, null],
      ['again', 'insert into taken values ($1, $2)', 1, false],
      ['later', 'insert into taken values ($1)', 3],
    ]
    for (let n = 0; n < 2; n++) await expect(together(twice)).rejects.toMatchObject({ code: '23505' })
    expect(await list()).toEqual([1])
    await together([
      ['later', 'insert into taken values ($1)', 3],
      [...put, 2, true, null],
    ])
    expect(await list()).toEqual([1, 2, 3])
  })

  test('a name is that of one text: where it is another one, nothing is done', async () => {
    await together([[...put, 1, true, null]])
    const other: Statement = ['put', 'delete from taken where id = $1', 1]
    const before: Statement = ['delete', 'delete from taken']
    await expect(together([before, other])).rejects.toThrow(/another statement's name/)
    expect(await list()).toEqual([1])
  })

  test('of many a session keeps those that were sent last', async () => {
    const kept = async () => {
      const { rows } = await client.query('select name from pg_prepared_statements order by name')
      return rows.map(({ name }) => name).join('')
    }
    const select = (names: string) =>
      together(
        [...names].map((name): Statement => [name, `select '${name}'`]),
        { most: 3 },
      )
    for (const names of ['abc', 'da', 'bd', 'ca', 'ac', 'edcba', 'ab']) {
      expect((await select(names)).rows.flat().join('')).toBe(names)
    }
    expect(await kept()).toBe('abc')
    // What came after an error was not heard of, and what was to make room for it is gone all the same.
    const failing: Statement = ['failing', 'select $1::int', 'x']
    for (const name of ['d', 'e', 'a']) {
      const also: Statement = [name, `select '${name}'`]
      await expect(together([failing, also], { most: 3 })).rejects.toMatchObject({ code: '22P02' })
    }
    for (const names of ['ab', 'cd', 'ea', 'bc']) {
      expect((await select(names)).rows.flat().join('')).toBe(names)
    }
  })
})
