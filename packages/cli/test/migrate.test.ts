import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { scratch, tillkit } from './tillkit.ts'

let folder: string
let remove: () => Promise<void>
let file: string
let count = 0

const migrate = (...words: string[]) => tillkit(['migrate', '--database', file, ...words])

beforeAll(async () => {
  ;({ folder, remove } = await scratch())
})
afterAll(() => remove())
beforeEach(() => {
  file = join(folder, `${count++}.db`)
})

const UP_TO_DATE = 'The tables are up to date.\n'

/** As the version before leaves it where this one has migrated with `--keep-old`. */
const asKept = async () => {
  await migrate()
  const database = new Database(file)
  database.exec(`delete from tillkit_migrations where name = '0009-settlements-correction';
    create index tillkit_deliveries_by_state on tillkit_deliveries (merchant_id, state)`)
  database.close()
}

const WAITS = `The tables are up to date but for what waits until no process of the version before runs. Then: tillkit migrate.
0010-lone-attempts: drop tillkit_deliveries_by_state
0009-settlements: correct
`

test('a check of tables that are up to date says so', async () => {
  expect(await migrate()).toMatchObject({ status: 0, stdout: UP_TO_DATE })
  expect(await migrate('--check')).toEqual({ status: 0, stdout: UP_TO_DATE, stderr: '' })
  const { stdout } = await migrate('--check', '--json')
  expect(JSON.parse(stdout)).toEqual({ upToDate: true, left: [] })
})

test('a check of a database without tables ends with 1, and says what is to be made', async () => {
  await writeFile(file, '')
  const { status, stdout } = await migrate('--check')
  expect([status, stdout.split('\n').slice(0, 2)]).toEqual([
    1,
    ['The tables are not up to date: tillkit migrate.', '0001-initial: tables'],
  ])
})

test('what --keep-old leaves is said, and a check of it ends with 1', async () => {
  await asKept()
  expect(await migrate('--keep-old')).toEqual({ status: 0, stdout: WAITS, stderr: '' })
  expect(await migrate('--check')).toEqual({ status: 1, stdout: WAITS, stderr: '' })
  const { status, stdout } = await migrate('--check', '--json')
  expect([status, JSON.parse(stdout)]).toEqual([
    1,
    {
      upToDate: false,
      left: [
        {
          ...{ migration: '0010-lone-attempts', step: 'drop', table: 'tillkit_deliveries' },
          index: 'tillkit_deliveries_by_state',
        },
        { migration: '0009-settlements', step: 'correct', table: 'tillkit_settlements', index: null },
      ],
    },
  ])
  expect(await migrate()).toMatchObject({ status: 0, stdout: UP_TO_DATE })
  expect(await migrate('--check')).toMatchObject({ status: 0, stdout: UP_TO_DATE })
})
