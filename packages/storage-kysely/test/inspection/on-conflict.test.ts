import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteStorage } from '../../src/sqlite/index.ts'
import { NOW, openShop } from '../faults/shop.ts'
import { REQUEST } from './checked.ts'

/** A file whose tables somebody has given other definitions. */
async function altered(table: string, from: string, to: string) {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-'))
  const file = join(folder, 'till.db')
  const making = sqliteStorage({ file })
  await making.migrate()
  await making.close()
  const other = new SqliteDatabase(file).unsafeMode()
  other.pragma('writable_schema = on')
  const change = 'update sqlite_master set sql = replace(sql, ?, ?) where name = ? and instr(sql, ?)'
  expect(other.prepare(change).run(from, to, table, from).changes).toBe(1)
  other.close()
  const storage = sqliteStorage({ file })
  onTestFinished(async () => {
    await storage.close()
    await rm(folder, { recursive: true })
  })
  return storage
}

const CODE = { code: 'table-1', reference: null, createdAt: NOW }

test.each([
  ['replace', 'two'],
  ['IGNORE', 'one'],
])(
  'a key that says on conflict %s does not refuse a row by itself, and that is told',
  async (word, owner) => {
    const storage = await altered(
      'tillkit_scan_codes',
      'primary key',
      `primary key on /* as elsewhere */ conflict ${word}`,
    )
    for (const id of ['one', 'two']) await openShop(storage, id)
    await storage.scanCodes.add({ ...CODE, merchantId: 'one' })
    await storage.scanCodes.add({ ...CODE, merchantId: 'two' }).catch(() => {})
    expect((await storage.scanCodes.find(CODE.code))?.merchant.id).toBe(owner)

    const { findings = [] } = (await storage.inspect?.(REQUEST)) ?? {}
    expect(findings.filter(({ check, level }) => check === 'tables' && level === 'problem')).toEqual([
      {
        check: 'tables',
        level: 'problem',
        says: `The table tillkit_scan_codes says on conflict ${word.toLowerCase()}: what a key is to refuse ${
          word === 'replace' ? 'takes the place of the row that is there' : 'is left out'
        }, without an error.`,
        advice: 'Stop all that writes, make the table anew without these words, and move its rows over.',
      },
    ])
  },
)

test.each([
  ['a comment', '/* on conflict replace */'],
  ['a text', "check (scan_code <> 'on conflict replace')"],
  ['another word for what SQLite does anyway', 'unique (merchant_id, id) on conflict abort'],
])('%s of a table is nothing to tell of', async (_, words) => {
  const storage = await altered(
    'tillkit_payments',
    'constraint "tillkit_payments_pk"',
    `${words.startsWith('/*') ? words : `${words},`} constraint "tillkit_payments_pk"`,
  )
  const { findings = [] } = (await storage.inspect?.(REQUEST)) ?? {}
  expect(findings.filter(({ check, level }) => check === 'tables' && level !== 'ok')).toEqual([])
})
