import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('the program in the README runs, and prints what its comments say', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
  const program = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? ''
  const promised = [...program.matchAll(/console\.log\(.*\) \/\/ (.*)/g)].map(match => match[1])
  const folder = await mkdtemp(join(import.meta.dirname, '../.scratch-'))
  try {
    await writeFile(join(folder, 'program.ts'), program)
    const options = ['--conditions=@tillkit/source', 'program.ts']
    const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: folder })
    expect(stdout.trimEnd().split('\n')).toEqual(promised)
    expect(promised.length).toBe(3)
  } finally {
    await rm(folder, { recursive: true })
  }
})
