import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@tillkit/servers'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

test('the program at the head of the README runs as it stands, and what it prints works', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const program = /```js\n([\s\S]+?)```/.exec(readme)?.[1] ?? ''
  const port = await freePort()
  const folder = await mkdtemp(join(root, 'node_modules/.readme-'))
  const child = spawn(process.execPath, ['--conditions=@tillkit/source', '--input-type=module'], {
    cwd: folder,
  })
  try {
    child.stderr.pipe(process.stderr)
    child.stdin.end(program.replaceAll('3000', String(port)))
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
    const [, key, url] = /^curl -u (\w+): (\S+)$/m.exec(line) ?? []
    const answer = await fetch(url ?? '', { headers: { authorization: `Basic ${btoa(`${key}:`)}` } })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject([{ id: 1, status: 'completed', totalAmount: 1250 }])
  } finally {
    child.kill()
    await once(child, 'exit')
    await rm(folder, { recursive: true })
  }
})
