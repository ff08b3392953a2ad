import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parseCommand, UsageError } from '../src/command.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

function faults(...words: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise(resolve => {
    const child = execFile(
      process.execPath,
      ['--conditions=@tillkit/source', MAIN, ...words],
      (_, stdout, stderr) => resolve({ code: child.exitCode, output: stdout + stderr }),
    )
  })
}

test('reads engine, campaign, rounds and seed', () => {
  const command = parseCommand(['mariadb', 'workers', '3', '7'])
  expect(command).toMatchObject({ engine: 'mysql', campaign: { name: 'workers' }, rounds: 3, seed: 7 })
  expect(parseCommand(['sqlite', 'shops'])).toMatchObject({ engine: 'sqlite', rounds: 20 })
  expect(parseCommand([])).toBeNull()
})

test.each([
  [['oracle', 'workers'], /ENGINE must be one of sqlite, postgres, mysql, not oracle/],
  [['sqlite'], /CAMPAIGN is missing: one of workers, shops/],
  [['sqlite', 'earthquake'], /CAMPAIGN must be one of workers, .*, not earthquake/],
  [['sqlite', 'workers', '0'], /ROUNDS must be a whole number from 1 to \d+, not 0/],
  [['sqlite', 'workers', 'ten'], /ROUNDS must .* not ten/],
  [['sqlite', 'workers', '1', '-1'], /SEED must .* not -1/],
  [['sqlite', 'workers', '1', '1', 'now'], /now is one word too many/],
])('names what is wrong with %j', (words, message) => {
  expect(() => parseCommand(words)).toThrow(UsageError)
  expect(() => parseCommand(words)).toThrow(message)
})

test('without words it prints how it is used, and fails', { timeout: 300_000 }, async () => {
  const { code, output } = await faults()
  expect(code).toBe(2)
  expect(output).toMatch(/^usage: npm run faults -- ENGINE CAMPAIGN \[ROUNDS\] \[SEED\]/)
})

test('with wrong words it says so, and fails', { timeout: 300_000 }, async () => {
  const { code, output } = await faults('sqlite', 'earthquake')
  expect(code).toBe(2)
  expect(output).toMatch(/^CAMPAIGN must be one of .*, not earthquake/)
})

test('a campaign that an engine has no use for says why', { timeout: 300_000 }, async () => {
  const { code, output } = await faults('sqlite', 'restarts')
  expect(code).toBe(0)
  expect(output).toMatch(/sqlite restarts: not run\. SQLite has no server/)
})

test('an interrupt ends it, and puts everything away', { timeout: 300_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-interrupted-'))
  const words = ['--conditions=@tillkit/source', MAIN, 'sqlite', 'shops', '9', '1']
  const child = spawn(process.execPath, words, {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const journals = async () => (await readdir(folder)).some(name => name.startsWith('tillkit-journals-'))
  while (!(await journals())) await sleep(20)
  child.kill('SIGINT')
  const [code] = await once(child, 'exit')
  expect(code).toBe(130)
  expect((await readdir(folder)).filter(name => name !== 'tillkit-faults-compiled')).toEqual([])
  await rm(folder, { recursive: true })
})
