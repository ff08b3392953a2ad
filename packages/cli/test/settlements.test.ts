import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { run, type TextStream } from '../src/index.ts'
import { child } from './child.ts'
import { scratch, tillkit } from './tillkit.ts'

const soon = { timeout: 120_000, interval: 100 }

let folder: string
let remove: () => Promise<void>
let env: Record<string, string>

const ran = (...words: string[]) => tillkit(words, { env })

async function file(name: string, text: string | Uint8Array): Promise<string> {
  await writeFile(join(folder, name), text)
  return join(folder, name)
}

beforeEach(async () => {
  ;({ folder, remove } = await scratch())
  env = { TILLKIT_DATABASE: join(folder, 'till.db') }
  await ran('migrate')
  const storage = sqliteStorage({ file: env.TILLKIT_DATABASE ?? '' })
  const till = createTill({ storage, logger: false })
  await till.merchants.create({ id: 'coffee', name: 'Coffee' })
  await till.scanCodes.create('coffee', { code: 'counter' })
  for (const n of [1, 2, 3, 4]) {
    const fields = { totalAmount: n * 1000, merchantReference: `order-${n}` }
    const payment = await till.payments.start({ scanCode: 'counter', ...fields })
    if (n < 4) await till.payments.complete(payment)
  }
  await till.close()
  await storage.close()
})

afterEach(() => remove())

const STATEMENT =
  'merchantId,paymentId,amount\ncoffee,1,1000\ncoffee,2,1999\ncoffee,3,3000\ncoffee,4,4000\ncoffee,9,1\n'

test('a statement is tried, imported, and listed; done again it changes nothing', async () => {
  const statement = await file('s.csv', STATEMENT)
  const tried = await ran('settlements', 'import', 'BANK-1', statement, '--dry-run', '--currency', 'EUR')
  expect(tried.status).toBe(1)
  expect(tried.stdout).toMatch(/would be settled +2\n/)
  expect(tried.stdout).toMatch(/3 +coffee +2 +amount +19\.99 EUR +20\.00 EUR\n/)
  expect(tried.stdout).toMatch(/5 +coffee +4 +not completed /)
  expect(tried.stdout).toMatch(/left out +0\n/)
  expect((await ran('settlements', 'list')).stderr).toBe('there are none\n')
  expect(await ran('settlements', 'show', 'BANK-1')).toMatchObject({
    status: 1,
    stderr: 'tillkit: nothing was settled under BANK-1\n',
  })

  const imported = await ran('settlements', 'import', 'BANK-1', statement, '--json')
  expect(JSON.parse(imported.stdout)).toMatchObject({
    settled: 2,
    differing: { unknown: 1, not_completed: 1, amount: 1 },
    left: { total: 0 },
  })
  const again = await ran('settlements', 'import', 'BANK-1', statement)
  expect(again.stdout).toMatch(/^settled +0\nsettled before +2\n/)

  const listed = await ran('settlements', 'list', '--currency', 'EUR')
  expect(listed.stdout).toMatch(/\nBANK-1 .* 1 +2 +40\.00 EUR +0\.00 EUR +3\n$/)
  expect(listed.stderr).toBe('1 to 1 of 1\n')
  const shown = await ran('settlements', 'show', 'BANK-1')
  expect(shown.stdout).toMatch(/payments +2\npaid out \(cents\) +4000\n.*\ncoffee +2 +4000 +0\n$/s)
})

test('that rows settle nothing is its status, also where nobody reads on', async () => {
  const statement = await file('s.csv', STATEMENT)
  let said = ''
  const seen = new Writable({
    write(_piece, _encoding, done) {
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    },
  }) as TextStream
  const stderr = new Writable({
    write(piece, _encoding, done) {
      said += piece
      done()
    },
  }) as TextStream
  const words = ['settlements', 'import', 'BANK-1', statement]
  const status = await run(words, { env, stdin: process.stdin, stdout: seen, stderr })
  expect([status, said]).toEqual([1, ''])
})

test('columns, signs and bytes as the acquirer has them, by stdin too', async () => {
  const words = ['settlements', 'import', 'BANK-2', '-', '--delimiter', ';', '--amounts', 'comma']
  const columns = ['--merchant-id', 'Händler', '--amount', '3', '--merchant-reference', '2']
  const mixed = await tillkit([...words, ...columns], { env, stdin: '' })
  expect(mixed).toMatchObject({ status: 2, stderr: 'tillkit: columns must be all names or all places\n' })
  const places = ['--merchant-id', '1', '--amount', '3', '--merchant-reference', '2']
  const stdin = 'coffee;order-1;10,00\ncoffee;order-2;20,00\n'
  const done = await tillkit([...words, ...places], { env, stdin })
  expect([done.status, done.stdout]).toMatchObject([0, expect.stringMatching(/^settled +2\n/)])

  const latin = await file('latin.csv', Buffer.from('Händler,Order,Gross\ncoffee,order-3,30.00\n', 'latin1'))
  const named = ['--merchant-id', 'Händler', '--amount', 'Gross', '--merchant-reference', 'Order']
  const how = ['settlements', 'import', 'BANK-3', latin, '--amounts', 'point', ...named]
  expect(await ran(...how)).toMatchObject({
    status: 2,
    stderr: 'tillkit: the statement is not in utf-8: say its encoding\n',
  })
  expect(await ran(...how, '--encoding', 'windows-1252')).toMatchObject({ status: 0 })
})

test('a statement comes by a pipe', async () => {
  const piped = child(['settlements', 'import', 'BANK-5', '-'], env)
  piped.process.stdin.end('merchantId,paymentId,amount\ncoffee,1,1000\ncoffee,2,2000\n')
  expect([await piped.ended, piped.said.stdout]).toEqual([0, expect.stringMatching(/^settled +2\n/)])
})

test.each(['-', 'fifo'])(
  'a statement that stalls, by %s, does not hold up who stops the import',
  async from => {
    const fifo = join(folder, 'fifo')
    await promisify(execFile)('mkfifo', [fifo])
    const stalled = child(['settlements', 'import', 'BANK-6', from === '-' ? '-' : fifo], env)
    const sender = from === '-' ? stalled.process.stdin : createWriteStream(fifo)
    sender.write('merchantId,paymentId,amount\ncoffee,3,3000\n')
    await vi.waitFor(async () => expect((await ran('settlements', 'show', 'BANK-6')).status).toBe(0), soon)
    stalled.process.kill('SIGTERM')
    expect(await stalled.ended).toBe(1)
    expect(stalled.said.stderr).toMatch(/^tillkit: it was stopped: what it has settled stays settled/)
    sender.destroy()
  },
)

test('what is wrong is one sentence', async () => {
  const wrong = await file('wrong.csv', 'merchantId,paymentId,amount\ncoffee,1,ten\n')
  const words = ['settlements', 'import', 'BANK-4']
  const cases: [string[], number, RegExp][] = [
    [[...words, join(folder, 'none.csv')], 1, /^tillkit: ENOENT: no such file/],
    [[...words, wrong], 2, /^tillkit: line 2, column "amount": "ten" is no amount such as 1250\n$/],
    [[...words, wrong, '--fee', 'Fee'], 2, /^tillkit: line 1 names no column "Fee"/],
    [[...words, wrong, '--delimiter', 'x'], 2, /^tillkit: --delimiter must be a comma/],
    [[...words, wrong, '--amounts', 'euros'], 2, /^tillkit: --amounts must be cents, point or comma\n$/],
    [
      [...words, wrong, '--skip-lines', '2000'],
      2,
      /^tillkit: --skip-lines must be an integer from 0 to 1000\n$/,
    ],
    [['settlements', 'import', '', wrong], 2, /^tillkit: .*[rR]eference.* must be text/],
  ]
  for (const [given, status, message] of cases) {
    const { status: came, stderr } = await ran(...given)
    expect([given.at(-1), came, stderr]).toEqual([given.at(-1), status, expect.stringMatching(message)])
  }
})

test('a file that is there and cannot be opened is one sentence too', async () => {
  // Root may open any file, but nobody a socket.
  const socket = join(folder, 'statement.csv')
  const server = createServer().listen(socket)
  await once(server, 'listening')
  // Before it is known to be open nothing else is looked at.
  for (const words of [[], ['--delimiter', 'x']]) {
    const importing = child(['settlements', 'import', 'BANK-4', socket, ...words], env)
    expect(await importing.ended).toBe(1)
    expect(importing.said.stderr).toMatch(/^tillkit: E[A-Z]+: [^\n]*, open '[^\n]*statement\.csv'\n$/)
  }
  server.close()
})

test('a person sees how far it is; who stops it is told how to go on', async () => {
  const rows = Array.from({ length: 6000 }, (_, n) => `coffee,${n + 10},1`).join('\n')
  const many = await file('many.csv', `merchantId,paymentId,amount\n${rows}\n`)
  const seen = await tillkit(['settlements', 'import', 'BANK-5', many], { env, terminal: true })
  expect(seen.stderr).toMatch(/5000 rows, 0 settled, 5000 differ/)
  expect(seen.stderr).toContain('and 5,950 more: --json has the first 10,000')
  const stop = AbortSignal.abort()
  expect(await tillkit(['settlements', 'import', 'BANK-6', many], { env, stop })).toMatchObject({
    status: 1,
    stderr: 'tillkit: it was stopped: what it has settled stays settled, and the same command goes on\n',
  })
})
