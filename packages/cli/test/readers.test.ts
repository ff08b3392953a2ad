import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run, type TextStream } from '../src/index.ts'
import { child } from './child.ts'
import { scratch, tillkit } from './tillkit.ts'

let folder: string
let remove: () => Promise<void>
let env: Record<string, string>

beforeAll(async () => {
  ;({ folder, remove } = await scratch())
  env = { TILLKIT_DATABASE: join(folder, 'till.db') }
  await tillkit(['migrate'], { env })
})

afterAll(() => remove())

// With the demo's processor there are pending payments to ask about, every minute.
const SERVE = ['serve', '--insecure-http', '--port', '0', '--processor', 'demo', '--currency', 'EUR']
const WORKER = ['worker', '--port', '0', '--processor', 'demo']

test.each([[SERVE], [WORKER]])('it goes on where nobody reads that it does: %j', async words => {
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  const stdout = new Writable({
    write(_piece, _encoding, done) {
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
      resolve()
    },
  }) as TextStream
  let said = ''
  const stderr = new Writable({
    write(piece, _, done) {
      said += piece
      done()
    },
  }) as TextStream
  const stopping = new AbortController()
  const ran = run(words, { env, stdin: process.stdin, stdout, stderr, stop: stopping.signal })
  try {
    await begun
    const [, origin = ''] = /"(?:origin|address)":"(http:\/\/[^"/]+)/.exec(said) ?? []
    expect((await fetch(`${origin}/health/livez`)).status).toBe(200)
  } finally {
    stopping.abort()
  }
  expect(await ran).toBe(0)
  expect(said).toMatch(/^Stopped\. Waited for /m)
})

test.skipIf(!existsSync('/dev/full'))('a disk too full for what it says first ends it', async () => {
  const wrapper = ['sh', '-c', 'exec "$@" > /dev/full', 'sh']
  for (const words of [SERVE, WORKER]) {
    const full = child(words, env, { wrapper })
    expect([words, await full.ended]).toEqual([words, 1])
    expect(full.said.stderr).toMatch(/^tillkit: ENOSPC/m)
  }
})
