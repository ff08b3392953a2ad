import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { run } from '../src/command/run.ts'
import { moved } from './faults/plant.ts'
import { openScene } from './scene.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

async function output(words: string[]) {
  let stdout = ''
  const write = (text: string) => {
    stdout += text
  }
  const around = { env: {}, stdin: Readable.from([]), stdout: { write }, stderr: { write } }
  const status = await run(words, around)
  return { status, stdout }
}

test('the README shows what is printed', async () => {
  const { url, key } = await openScene({ api: moved('endDate', 1000) })
  const only = /\(`--only ([\w,-]+)`/.exec(readme)?.[1] ?? ''
  const { status, stdout } = await output([url, '--key', key, '--only', only, '--rate', '5000'])
  expect(status).toBe(1)
  const shown = stdout.replaceAll(url, 'https://pay.example.com/v1').trimEnd()
  expect(readme).toContain(`\`\`\`\n${shown}\n\`\`\``)
})

test('the README names every option of the command, and no other', async () => {
  const { stdout } = await output(['--help'])
  const known = [...stdout.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, name]) => name).sort()
  const table = readme.slice(readme.indexOf('| option |'), readme.indexOf('\n\nWithout `--destructive`'))
  const named = [...table.matchAll(/^\| .*? \|/gm)].flatMap(([cell]) =>
    [...cell.matchAll(/--[\w-]+/g)].map(String),
  )
  expect([...new Set(named)].sort()).toEqual(known)
})

test('the program in the README finds nothing that differs', async () => {
  const [, program = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []
  const flags = ['--conditions=@tillkit/source', '--input-type=module-typescript', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: import.meta.dirname })
  expect(stdout).toBe('true\n')
})
