import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratch, tillkit } from './tillkit.ts'

const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
const [, lines = ''] = /```sh\n(.*?)```/s.exec(readme) ?? []
const commands = lines
  .trim()
  .split('\n')
  .map(line => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? ''))

test('the first five lines do what they say', async () => {
  const { folder, remove } = await scratch()
  try {
    expect(commands).toHaveLength(5)
    let key = ''
    for (const [npx, program, ...words] of commands) {
      expect([npx, program]).toEqual(['npx', 'tillkit'])
      const here = words.map(word => (word === 'till.db' ? join(folder, word) : word))
      if (here[0] === 'serve') return await serves(here, key)
      const ran = await tillkit(here)
      expect(ran).toMatchObject({ status: 0 })
      if (here[0] === 'keys') key = ran.stdout.trim()
    }
  } finally {
    await remove()
  }
})

async function serves(words: string[], key: string): Promise<void> {
  const stopping = new AbortController()
  const { promise: ready, resolve } = Promise.withResolvers<string>()
  const serving = tillkit([...words, '--port', '0'], {
    stop: stopping.signal,
    onOutput: text => resolve(/^Serving (http:\S+):/.exec(text)?.[1] ?? ''),
  })
  const origin = await Promise.race([ready, serving.then(({ stderr }) => Promise.reject(new Error(stderr)))])
  const headers = { authorization: `Basic ${btoa(`${key}:`)}` }
  const [listed, page] = await Promise.all([
    fetch(`${origin}/v1/payments`, { headers }),
    fetch(`${origin}/qr/counter`),
  ])
  expect([listed.status, page.status]).toEqual([200, 200])
  stopping.abort()
  expect((await serving).status).toBe(0)
}
