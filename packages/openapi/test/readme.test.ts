import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
const [, program = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []

test('the program runs, serves the page, and its comment is true', async () => {
  const folder = await mkdtemp(join(import.meta.dirname, '../.scratch-'))
  try {
    const visit =
      "\nserver.once('listening', async () => {\n  const { port } = server.address() as { port: number }\n" +
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the program that fills it in
      "  for (const path of ['', '/', '/openapi.json']) console.log((await fetch(`http://127.0.0.1:${port}/docs${path}`)).status)\n" +
      '  process.exit()\n})\n'
    await writeFile(join(folder, 'program.ts'), program.replace('listen(3000)', 'listen(0)') + visit)
    const args = ['--conditions=@tillkit/source', 'program.ts']
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder })
    expect(stdout.trim().split('\n')).toEqual(['7', '200', '200', '200'])
  } finally {
    await rm(folder, { recursive: true })
  }
})
