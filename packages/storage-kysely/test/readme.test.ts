import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { overPostgres } from './engines/index.ts'

const run = promisify(execFile)

/** Runs a program of the README twice in a row in one folder, and returns what it printed each time. */
async function printTwice(program: string, env: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-readme-'))
  const file = join(import.meta.dirname, 'programs', program)
  const print = () =>
    run(process.execPath, ['--conditions=@tillkit/source', file], {
      cwd: folder,
      env: { ...process.env, ...env },
    })
  const printed = [(await print()).stdout, (await print()).stdout]
  await rm(folder, { recursive: true })
  return printed
}

describe('the programs in the README', () => {
  test.each(['first-steps.ts', 'with-your-own-row.ts'])('%s is there to the letter', async program => {
    const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
    const source = await readFile(join(import.meta.dirname, 'programs', program), 'utf8')
    expect(readme).toContain(`\`\`\`ts\n${source}\`\`\`\n`)
  })

  test('the first one runs, and runs again on the same file', async () => {
    const [first, second] = await printTwice('first-steps.ts')
    expect(first).toMatch(/id: 1,.*status: 'completed'/s)
    expect(second).toMatch(/id: 2,.*status: 'completed'/s)
  })

  overPostgres(({ create }) => {
    test('the second one runs, and runs again on the same database', async () => {
      const { address, drop } = await create()
      if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
      const url = new URL(address.connectionString)
      url.searchParams.set('options', `-c search_path="${address.schema}"`)
      const [first, second] = await printTwice('with-your-own-row.ts', { DATABASE_URL: url.href })
      expect(first).toMatch(/drink: 'tea', payment_id: '1'/)
      expect(second).toMatch(/drink: 'tea', payment_id: '2'/)
      await drop()
    })
  })
})
