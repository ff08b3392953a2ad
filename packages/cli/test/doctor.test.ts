import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { scratch, tillkit } from './tillkit.ts'

let remove: () => Promise<void>
let file: string

const doctor = (...words: string[]) => tillkit(['doctor', ...words], { env: { TILLKIT_DATABASE: file } })

beforeEach(async () => {
  const place = await scratch()
  remove = place.remove
  file = join(place.folder, 'till.db')
  await tillkit(['migrate', '--database', file], { env: {} })
})

afterEach(() => remove())

test('a sound database is said to be so, with its settings', async () => {
  const { status, stdout } = await doctor('--strict')
  expect(stdout).toMatch(/^SQLite \d+\..*\n {2}journal_mode = wal\n {2}synchronous = FULL\n/)
  expect(stdout).toMatch(/^ok +migrations +All \d+ migrations are done/m)
  expect([status, stdout.trimEnd().split('\n').at(-1)]).toEqual([
    0,
    expect.stringMatching(/^0 problem, 0 warning, 0 note, \d+ ok$/),
  ])
})

test('what is wrong comes first, with what to do, and ends with 1', async () => {
  const database = new SqliteDatabase(file)
  database.exec('drop index tillkit_payments_guarded_reference')
  database.exec(`insert into tillkit_merchants (id, name, webhook_key, tips, user_references, device_lists, created_at)
    values ('coffee', 'Coffee', 'plain.whk_hunter2', 0, 0, 0, '2026-11-20T09:30:00.000Z')`)
  database.close()
  const { status, stdout } = await doctor()
  expect(status).toBe(1)
  expect(stdout).toMatch(
    /^problem +indexes +The index tillkit_payments_guarded_reference .* is missing.*\n +→ Run: create unique index .*\nwarning +keys /m,
  )
  const { level, findings, counts } = JSON.parse((await doctor('--json')).stdout)
  expect(level).toBe('problem')
  expect(findings).toContainEqual(expect.objectContaining({ level: 'warning', check: 'keys' }))
  expect(counts.webhookKeys).toEqual({ total: 1, plain: 1, unknown: 0 })
  expect(stdout).not.toContain('hunter2')
})

test('a warning counts where one is strict', async () => {
  const database = new SqliteDatabase(file)
  database.exec('drop index tillkit_api_keys_by_hash')
  database.close()
  expect((await doctor()).status).toBe(0)
  expect((await doctor('--strict')).status).toBe(1)
})

test('a database that does not answer is 3, one that is not there 1, wrong words 2', async () => {
  const env = { TILLKIT_DATABASE: 'postgres://nobody@127.0.0.1:1/none' }
  const away = await tillkit(['doctor'], { env })
  expect([away.status, away.stdout]).toEqual([
    3,
    expect.stringMatching(
      /^problem +database +The database could not be asked: the database cannot be reached/,
    ),
  ])
  expect((await tillkit(['doctor', '--database', `${file}x`], { env: {} })).status).toBe(1)
  expect((await doctor('--long-transaction-seconds', 'many')).status).toBe(2)
})
