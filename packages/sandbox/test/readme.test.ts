import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@tillkit/servers'
import { expect, test } from 'vitest'

const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
const [, program = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []

test('the program runs, and again on what it left, and what it prints makes a payment', async () => {
  const folder = await mkdtemp(join(import.meta.dirname, '../.scratch-'))
  const port = await freePort()
  await writeFile(join(folder, 'program.ts'), program.replaceAll('3000', String(port)))
  try {
    for (const id of [1, 2]) {
      const child = spawn(process.execPath, ['--conditions=@tillkit/source', 'program.ts'], { cwd: folder })
      try {
        child.stderr.pipe(process.stderr)
        const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
        const [, key, url, body] = /^curl -u (tk_test_\w+): (\S+) -d '(.*)'$/m.exec(line) ?? []
        const headers = { authorization: `Basic ${btoa(`${key}:`)}` }
        const answer = await fetch(url ?? '', { method: 'POST', headers, body: body ?? '' })
        expect(await answer.json()).toMatchObject({ id, status: 'completed', totalAmount: 1250 })
      } finally {
        child.kill()
        await once(child, 'close')
      }
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
