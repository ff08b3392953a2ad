import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { freePort } from '@tillkit/servers'
import { expect, onTestFinished, test } from 'vitest'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('the program in the README runs', async () => {
  const [, program = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []
  const source = program.replaceAll('8080', String(await freePort()))
  const flags = ['--conditions=@tillkit/source', '--input-type=module-typescript', '--eval', source]
  const child = spawn(process.execPath, flags, {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  const line = await new Promise<string>(resolve => child.stdout.once('data', text => resolve(String(text))))
  const [, apiKey, url = ''] = /^curl -u (\w+): (\S+)/.exec(line) ?? []
  const response = await fetch(url, { headers: { Authorization: `Basic ${btoa(`${apiKey}:`)}` } })
  expect([response.status, await response.json()]).toEqual([200, []])
})
