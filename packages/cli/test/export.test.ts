import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { Payment } from '@tillkit/till'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fill } from '../bench/fill.ts'
import { run, type TextStream } from '../src/index.ts'
import { child } from './child.ts'
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
