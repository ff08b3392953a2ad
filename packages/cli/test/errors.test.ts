import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run, type TextStream } from '../src/index.ts'
import { scratch, tillkit } from './tillkit.ts'

let folder: string
let remove: () => Promise<void>
let env: Record<string, string>

beforeAll(async () => {
  ;({ folder, remove } = await scratch())
  env = { TILLKIT_DATABASE: join(folder, 'till.db') }
  await tillkit(['migrate'], { env })
})

afterAll(() => remove())

test('what is wrong is one sentence that names the flag, on stderr, with its status', async () => {
  const cases: [string[], number, RegExp][] = [
    [['merchants', 'lst'], 2, /^tillkit: unknown command 'lst'\n\(Did you mean list\?\)\n$/],
    [
      ['merchants', 'list', '--limt', '3'],
      2,
      /^tillkit: unknown option '--limt'\n\(Did you mean --limit\?\)\n$/,
    ],
    [['merchants', 'list', '--limit', '0'], 2, /^tillkit: --limit must be an integer from 1 to 1000\n$/],
    [['merchants', 'list', '--limit', 'x'], 2, /^tillkit: --limit must be a whole number, not x\n$/],
    [['merchants', 'add'], 2, /^tillkit: missing required argument 'name'\n$/],
    [['merchants', 'add', ''], 2, /^tillkit: <name> must be text of 1 to 255 characters/],
    [
      ['merchants', 'add', 'A', '--webhook-url', 'http://a.example'],
      2,
      /^tillkit: --webhook-url must be https\n$/,
    ],
    [['merchants', 'change', 'none'], 2, /^tillkit: nothing to change was given\n$/],
    [['merchants', 'show', 'none'], 1, /^tillkit: merchant none is unknown\n$/],
    [['keys', 'issue', 'none'], 1, /^tillkit: merchant none is unknown\n$/],
    [
      ['payments', 'list', 'none', '--start-date', 'noon'],
      2,
      /^tillkit: --start-date must be an ISO 8601 date-time/,
    ],
    [['payments', 'show', 'none', '-1'], 2, /^tillkit: .*\n/],
    [['codes', 'print'], 2, /^tillkit: the address that the codes carry is needed: --qr-base-url/],
    [['complete'], 2, /^tillkit: .*\n/],
  ]
  for (const [words, status, sentence] of cases) {
    const ran = await tillkit(words, { env })
    expect({ words, ...ran }).toMatchObject({ words, status, stdout: '' })
    expect(ran.stderr).toMatch(sentence)
    expect(ran.stderr).not.toMatch(/^ +at /m)
  }
})

test('a database is needed, and a name mistyped makes none', async () => {
  expect(await tillkit(['merchants', 'list'])).toEqual({
    status: 2,
    stdout: '',
    stderr: 'tillkit: a database is needed: --database, or TILLKIT_DATABASE\n',
  })
  const file = join(folder, 'tlil.db')
  expect(await tillkit(['merchants', 'list', '--database', file])).toMatchObject({
    status: 1,
    stderr: `tillkit: there is no database ${file}: tillkit migrate --database ${file} makes it\n`,
  })
  expect(existsSync(file)).toBe(false)
})

test('a database that is none, is away or has no tables is status 3', async () => {
  const letter = join(folder, 'letter.txt')
  await writeFile(letter, 'Dear Anna, this is not a database.')
  const empty = join(folder, 'empty.db')
  await writeFile(empty, '')
  for (const [database, sentence] of [
    [letter, /^tillkit: cannot open the database .*: it is not an SQLite database\n$/],
    [empty, /^tillkit: the database has no Tillkit tables yet: tillkit migrate makes them\n$/],
    ['postgres://nobody@127.0.0.1:1/none', /^tillkit: the database cannot be reached: .*\n$/],
    ['mysql://nobody@127.0.0.1:1/none', /^tillkit: the database cannot be reached: .*\n$/],
  ] as const) {
    const ran = await tillkit(['merchants', 'list', '--database', database])
    expect(ran).toMatchObject({ status: 3, stdout: '' })
    expect(ran.stderr).toMatch(sentence)
  }
})

test('what customers wrote moves no terminal, in tables and in JSON', async () => {
  const storage = sqliteStorage({ file: env.TILLKIT_DATABASE ?? '' })
  const till = createTill({ storage, logger: false })
  const evil = 'x\u001b[2J\u009b31m\r\n\u202egnp'
  await till.merchants.create({ id: 'evil', name: evil, features: { userReferences: true } })
  await till.scanCodes.create('evil', { code: 'evil', reference: 'y'.repeat(255) })
  await till.payments.start({
    scanCode: 'evil',
    totalAmount: 1,
    userReference: evil,
    extra: { [evil]: evil },
  })
  await till.close()
  await storage.close()
  for (const words of [
    ['merchants', 'list'],
    ['payments', 'show', 'evil', '1'],
    ['payments', 'list', 'evil', '--json'],
  ]) {
    const { stdout } = await tillkit(words, { env })
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
    expect(stdout).toContain('\\u001b')
  }
  const { stdout } = await tillkit(['payments', 'list', 'evil', '--json'], { env })
  expect(JSON.parse(stdout).items[0].extra).toEqual({ [evil]: evil })
  const cut = await tillkit(['codes', 'list', 'evil'], { env })
  expect(cut.stdout).toContain(`${'y'.repeat(63)}…`)
})

test('colours are for terminals, and for those who want them', async () => {
  const list = ['merchants', 'list']
  const coloured = async (around: Parameters<typeof tillkit>[1]) =>
    (await tillkit(list, around)).stdout.includes('\u001b[')
  expect(await coloured({ env })).toBe(false)
  expect(await coloured({ env, terminal: true })).toBe(true)
  expect(await coloured({ env: { ...env, NO_COLOR: '1' }, terminal: true })).toBe(false)
})

test('a reader who goes ends it quietly', async () => {
  const gone = new Writable({
    write(_piece, _encoding, done) {
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    },
  })
  let said = ''
  const stderr = new Writable({
    write(piece, _, done) {
      said += piece
      done()
    },
  }) as TextStream
  const status = await run(['merchants', 'list'], { env, stdin: process.stdin, stdout: gone, stderr })
  expect([status, said]).toEqual([0, ''])
})
