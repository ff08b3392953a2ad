import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('the program in the README runs', async () => {
  const [, program = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []
  const flags = ['--conditions=@tillkit/source', '--input-type=module-typescript', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: import.meta.dirname })
  expect(stdout).toMatch(/^200 \[\s*\{\s*id: 1,\s*status: 'completed'/)
})

test('the program about signed URLs runs, and its comment is true', async () => {
  const [, source = ''] = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, program]) => program)
  const flags = ['--conditions=@tillkit/source', '--input-type=module-typescript', '--eval', source]
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: import.meta.dirname })
  expect(source).toContain(`(signed.status, unsigned.status) // ${stdout}`)
})

test('the program about health runs, and its comments are true', async () => {
  const [, , source = ''] = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, program]) => program)
  const flags = ['--conditions=@tillkit/source', '--input-type=module-typescript', '--eval', source]
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: import.meta.dirname })
  expect(source).toMatch(
    /\{ ok: true, checks: \{ process: \{ ok: true, state: 'running' \}, … \} \}\n.* \/\/ 503\n/s,
  )
  expect(stdout).toMatch(
    /^\{\s*ok: true,\s*checks: \{\s*process: \{ ok: true, state: 'running' \},.*\n503\n$/s,
  )
})

test('the test file in the README is the one that Express is checked with', () => {
  const file = readFileSync(new URL('../../express/test/adapter.test.ts', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${file}\`\`\``)
})
