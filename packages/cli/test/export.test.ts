import { execFile } from 'node:child_process'
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { promisify } from 'node:util'
import type { Payment } from '@tillkit/till'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fill } from '../bench/fill.ts'
import { run, type TextStream } from '../src/index.ts'
import { child, NODE } from './child.ts'
import { scratch, tillkit } from './tillkit.ts'

const MANY = 50_000
let folder: string
let remove: () => Promise<void>
let env: Record<string, string>

beforeAll(async () => {
  ;({ folder, remove } = await scratch())
  env = { TILLKIT_DATABASE: join(folder, 'till.db') }
  await fill(env.TILLKIT_DATABASE ?? '', MANY)
})

afterAll(() => remove())

const linesOf = (text: string): Payment[] =>
  text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

test('each payment once, oldest first, and no more is read than a slow reader has taken', async () => {
  let waiting = 0
  let most = 0
  let text = ''
  const stdout = new Writable({
    highWaterMark: 1,
    write(piece, _, done) {
      text += piece
      setImmediate(() => {
        waiting -= 1
        done()
      })
    },
  }) as TextStream
  const written = stdout.write.bind(stdout)
  stdout.write = (...words: unknown[]) => {
    waiting += 1
    most = Math.max(most, waiting)
    return Reflect.apply(written, undefined, words)
  }
  const stderr = new Writable({ write: (_piece, _encoding, done) => done() }) as TextStream
  const words = ['payments', 'export', 'coffee', '--format', 'ndjson']
  expect(await run(words, { env, stdin: process.stdin, stdout, stderr })).toBe(0)
  expect(most).toBe(1)
  const ids = linesOf(text).map(({ id }) => id)
  expect(ids).toHaveLength(MANY)
  expect(ids.every((id, n) => id === n + 1)).toBe(true)
})

test('50,000 payments are written by a process whose memory is too small to hold them', async () => {
  const file = join(folder, 'all.csv')
  const small = { ...env, NODE_OPTIONS: '--max-old-space-size=56' }
  const exporting = child(['payments', 'export', 'coffee', '--out', file], small)
  expect([await exporting.ended, exporting.said.stderr]).toEqual([0, '50,000 payments\n'])
  const text = await readFile(file, 'utf8')
  expect(text.split('\r\n')).toHaveLength(MANY + 2)
  expect(text).toMatch(/^merchantId,id,status,/)
})

test('it goes on after a payment, takes the filters, and is told by the name of a file what to write', async () => {
  const after = await tillkit(['payments', 'export', 'coffee', '--format', 'ndjson', '--after-id', '49990'], {
    env,
  })
  expect(linesOf(after.stdout).map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, n) => 49_991 + n))
  expect(after.stderr).toBe('10 payments\n')
  const none = await tillkit(['payments', 'export', 'coffee', '--status', 'pending'], { env })
  expect(none.stdout.split('\r\n')).toHaveLength(2)
  const file = join(folder, 'few.ndjson')
  await tillkit(['payments', 'export', 'coffee', '--after-id', '49998', '--out', file], { env })
  expect(linesOf(await readFile(file, 'utf8'))).toHaveLength(2)
  const semicolons = await tillkit(
    ['payments', 'export', 'coffee', '--after-id', '49999', '--delimiter', ';', '--bom'],
    { env },
  )
  expect(semicolons.stdout).toMatch(/^\uFEFFmerchantId;id;/)
})

test('with --json it writes NDJSON, wherever the flag stands, and no CSV in its place', async () => {
  const words = ['payments', 'export', 'coffee', '--after-id', '49998']
  for (const line of [
    [...words, '--json'],
    ['--json', ...words],
  ]) {
    const { status, stdout, stderr } = await tillkit(line, { env })
    expect([status, stderr]).toEqual([0, ''])
    expect(linesOf(stdout).map(({ id }) => id)).toEqual([49_999, 50_000])
  }
  const refused = await tillkit([...words, '--json', '--format', 'csv'], { env })
  expect(refused).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('--json') })
})

test('what is wrong is said before a file is made, and a bar is drawn for people alone', async () => {
  const kept = join(folder, 'kept.csv')
  await writeFile(kept, 'what was there')
  for (const [words, status] of [
    [['coffee', '--start-date', 'noon'], 2],
    [['nobody'], 1],
    [['coffee', '--format', 'xlsx'], 2],
    [['coffee', '--delimiter', 'x'], 2],
  ] as const) {
    expect(await tillkit(['payments', 'export', ...words, '--out', kept], { env })).toMatchObject({ status })
  }
  expect(await readFile(kept, 'utf8')).toBe('what was there')
  const bar = await tillkit(['payments', 'export', 'coffee', '--out', join(folder, 'bar.csv')], {
    env,
    terminal: true,
  })
  expect(bar.stderr).toMatch(/%/)
  expect(
    await tillkit(['payments', 'export', 'coffee', '--out', join(folder, 'no', 'such.csv')], { env }),
  ).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^tillkit: ENOENT/),
  })
})

/** An empty folder but for a file of yesterday, and what is in it after an export that fails. */
async function yesterday(name: string) {
  const made = join(folder, name)
  await mkdir(made)
  const file = join(made, 'coffee.csv')
  await writeFile(file, 'what was there')
  const left = async () => [await readdir(made), await readFile(file, 'utf8')]
  return { file, left }
}

const AS_IT_WAS = [['coffee.csv'], 'what was there']

test('what was there stays where the database fails amid the payments, and nothing else is left', async () => {
  const { file, left } = await yesterday('damaged')
  const damaged = join(folder, 'damaged.db')
  await fill(damaged, 3000)
  const database = new SqliteDatabase(damaged)
  database.prepare(`update tillkit_payments set extra = '{"half' where id = 2500`).run()
  database.close()
  const words = ['payments', 'export', 'coffee', '--database', damaged, '--out']
  expect(await tillkit([...words, file])).toMatchObject({
    status: 3,
    stderr: expect.stringMatching(/^tillkit: .*2500/),
  })
  expect(await left()).toEqual(AS_IT_WAS)
})

test('it stays where the export is stopped, too', async () => {
  const { file, left } = await yesterday('stopped')
  const stop = AbortSignal.abort()
  const words = ['payments', 'export', 'coffee', '--out']
  expect(await tillkit([...words, file], { env, stop })).toMatchObject({
    status: 1,
    stderr: `tillkit: it was stopped: ${file} is as it was\n`,
  })
  expect(await left()).toEqual(AS_IT_WAS)
})

test('the file that takes its place may be read by whoever might before, also where a link leads to it', async () => {
  const { file } = await yesterday('linked')
  await chmod(file, 0o600)
  const link = join(folder, 'link.csv')
  await symlink(file, link)
  const words = ['payments', 'export', 'coffee', '--after-id', '49998', '--out']
  expect((await tillkit([...words, link], { env })).status).toBe(0)
  expect((await readFile(file, 'utf8')).split('\r\n')).toHaveLength(4)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await lstat(link)).isSymbolicLink()).toBe(true)
})

test('whoever might read and write it may, whatever the umask of who exports it is', async () => {
  const { file } = await yesterday('shared')
  await chmod(file, 0o664)
  const words = ['payments', 'export', 'coffee', '--after-id', '49998', '--out', file]
  const wrapper = ['bash', '-c', 'umask 077; exec "$@"', 'bash']
  expect(await child(words, env, { wrapper }).ended).toBe(0)
  expect((await readFile(file, 'utf8')).split('\r\n')).toHaveLength(4)
  expect((await stat(file)).mode & 0o777).toBe(0o664)
})

test('what a link leads to is made whole or not at all, also where there is nothing yet', async () => {
  const target = join(folder, 'not-yet.csv')
  const [first, link] = [join(folder, 'first.csv'), join(folder, 'second.csv')]
  await symlink('first.csv', link)
  await symlink('not-yet.csv', first)
  const words = ['payments', 'export', 'coffee', '--out', link]
  expect((await tillkit(words, { env, stop: AbortSignal.abort() })).status).toBe(1)
  expect((await readdir(folder)).filter(name => name.startsWith('not-yet'))).toEqual([])
  expect((await tillkit(words, { env })).status).toBe(0)
  expect((await lstat(target)).isFile()).toBe(true)
  expect((await lstat(link)).isSymbolicLink()).toBe(true)
})

test('what is no file is written to as it comes', async () => {
  const command = [process.execPath, ...NODE].map(word => `'${word}'`).join(' ')
  const words = 'payments export coffee --after-id 49998 --format ndjson --out /dev/stdout'
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', `${command} ${words} | cat`], {
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  expect(linesOf(stdout).map(({ id }) => id)).toEqual([49_999, 50_000])
})

test('a report of the open period, and of one that ended', async () => {
  const open = await tillkit(['report', 'coffee', '--currency', 'EUR'], { env })
  expect(open.stdout).toMatch(/^period +open$/m)
  expect(open.stdout).toMatch(/^completed +50000 +625000\.00 EUR/m)
  const { stdout } = await tillkit(['cash-ups', 'create', 'coffee', '--json'], { env })
  const { reference } = JSON.parse(stdout)
  const ended = await tillkit(['report', 'coffee', reference, '--json'], { env })
  expect(JSON.parse(ended.stdout)).toMatchObject({
    reference,
    final: true,
    byStatus: { completed: { count: MANY } },
  })
})
