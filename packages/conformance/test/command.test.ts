import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { moved } from './faults/plant.ts'
import { openScene } from './scene.ts'

const program = join(import.meta.dirname, '../src/command.ts')

/** Runs the command as a process of its own. */
function run(words: string[], { env = {}, stdin = '' } = {}) {
  return new Promise<{ status: unknown; stdout: string; stderr: string }>(resolve => {
    const node = ['--conditions=@tillkit/source', '--no-warnings', program, ...words]
    const child = execFile(
      process.execPath,
      node,
      { env: { ...process.env, ...env } },
      (error, stdout, stderr) => resolve({ status: error?.code ?? 0, stdout, stderr }),
    )
    child.stdin?.end(stdin)
  })
}

const quick = ['--only', 'filter-dates,one-payment', '--rate', '5000']

test('a sound instance is status 0, as a table and as JSON', async () => {
  const { url, key } = await openScene()
  const table = await run([url, ...quick], { env: { TILLKIT_KEY: key } })
  expect(table).toMatchObject({ status: 0, stderr: '' })
  expect(table.stdout).toMatch(/✓ +4\.2 +filter-dates +\d+/)
  const json = await run([url, '--key', '-', '--json', ...quick], { stdin: `${key}\n` })
  expect(JSON.parse(json.stdout)).toMatchObject({ url, conforms: true, differing: 0 })
  expect(json.stdout + table.stdout).not.toContain(key)
})

test('a fault is status 1, with the request to repeat it and without the key', async () => {
  const { url, key } = await openScene({ api: moved('endDate', 1000) })
  const { status, stdout } = await run([url, '--key', key, ...quick])
  expect(status).toBe(1)
  expect(stdout).toContain('✗ 4.2 filter-dates')
  expect(stdout).toMatch(/ {4}curl -i -u "\$KEY:" -H 'origin: .*' '.*endDate=/)
  expect(stdout).not.toContain(key)
})

test('what cannot be tried is status 2, and says why', async () => {
  const { url, key } = await openScene()
  const cases: [words: string[], said: RegExp][] = [
    [[url, '--key', 'tk_wrong'], /the key is refused/],
    [['http://127.0.0.1:1/v1', '--key', key], /no answer: .*ECONNREFUSED/],
    [[url], /a key is needed/],
    [['not-a-url', '--key', key], /url must be an http or https address/],
    [[url, '--key', key, '--only', 'nothing'], /there is none called nothing/],
    [[url, '--key', key, '--compare', url], /--compare needs --compare-key/],
    [[url, '--key', key, '--nonsense'], /unknown option '--nonsense'/],
    [[], /missing required argument 'url'/],
  ]
  for (const [words, said] of cases) {
    const { status, stderr } = await run(words, { env: { TILLKIT_KEY: '' } })
    expect([words, status, stderr]).toEqual([words, 2, expect.stringMatching(said)])
  }
})
