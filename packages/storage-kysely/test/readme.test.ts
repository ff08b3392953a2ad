import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { overPostgres } from './engines/index.ts'

const run = promisify(execFile)

/** Runs a program of the README in an empty folder and returns what it printed. */
async function print(program: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-readme-'))
  const file = join(import.meta.dirname, 'programs', program)
  const { stdout } = await run(process.execPath, ['--conditions=@tillkit/source', file], {
    cwd: folder,
    env: { ...process.env, ...env },
  })
  await rm(folder, { recursive: true })
  return stdout
}

describe('the programs in the README', () => {
  test.each(['first-steps.ts', 'with-your-own-row.ts'])('%s is there to the letter', async program => {
    const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
    const source = await readFile(join(import.meta.dirname, 'programs', program), 'utf8')
    expect(readme).toContain(`\`\`\`ts\n${source}\`\`\`\n`)
  })

  test('the first one runs', async () => {
    expect(await print('first-steps.ts')).toMatch(/status: 'completed'/)
  })

  overPostgres(({ create }) => {
    test('the second one runs', async () => {
      const { address, drop } = await create()
      if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
      const url = new URL(address.connectionString)
      url.searchParams.set('options', `-c search_path="${address.schema}"`)
      expect(await print('with-your-own-row.ts', { DATABASE_URL: url.href })).toMatch(
        /drink: 'tea', payment_id: '1'/,
      )
      await drop()
    })
  })
})
