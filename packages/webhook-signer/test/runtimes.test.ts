import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import * as here from '@tillkit/webhook-signer'
import fc from 'fast-check'
import { build } from 'tsup'
import { beforeAll, describe, expect, test, vi } from 'vitest'

// The package as it is built, in worlds with ECMAScript, three standard globals, and a `process` of their own or none.
let source: string

beforeAll(async () => {
  const outDir = await mkdtemp(join(tmpdir(), 'webhook-signer-'))
  const entry = join(import.meta.dirname, '../src/index.ts')
  await build({ entry: [entry], outDir, format: 'iife', globalName: 'signer', config: false, silent: true })
  source = await readFile(join(outDir, 'index.global.js'), 'utf8')
  await rm(outDir, { recursive: true })
})

function load(globals: object): typeof here {
  const world = createContext({ TextEncoder, TextDecoder, URLSearchParams, ...globals })
  return runInContext(`${source};signer`, world)
}

const throws = () => {
  throw new Error('A Node.js API is used which is not supported in the Edge Runtime')
}
const hmac = { update: () => hmac, digest: () => 'not implemented' }

describe.each([
  ['no process', {}],
  ['a process that is null', { process: null }],
  ['a process with an environment only', { process: { env: {} } }],
  ['no crypto', { process: { getBuiltinModule: () => undefined } }],
  ['an empty crypto', { process: { getBuiltinModule: () => ({}) } }],
  ['a getBuiltinModule that throws', { process: { getBuiltinModule: throws } }],
  ['a createHmac that throws', { process: { getBuiltinModule: () => ({ createHmac: throws }) } }],
  ['a createHmac that does nothing', { process: { getBuiltinModule: () => ({ createHmac: () => hmac }) } }],
])('where there is %s', (_, globals) => {
  test('it signs, verifies, formats and parses all the same', () => {
    const signer = load(globals)
    const text = fc.string({ unit: 'binary' })
    const key = fc.string({ unit: 'binary', minLength: 1, maxLength: 150 })
    fc.assert(
      fc.property(fc.oneof(text, fc.uint8Array(), fc.constant('\ud800')), key, (rawBody, key) => {
        const authorization = `Service signature=${createHmac('sha256', key).update(rawBody).digest('hex')}`
        expect(signer.signWebhook(rawBody, key)).toBe(authorization)
        expect(signer.verifyWebhook({ rawBody, authorization, key })).toBe(true)
        expect(signer.verifyWebhook({ rawBody, authorization, key: `${key}.` })).toBe(false)
      }),
    )
    const rawBody = signer.formatWebhook('{"id":1}')
    expect(rawBody).toBe(here.formatWebhook('{"id":1}'))
    expect(signer.parseWebhook(Buffer.from(rawBody)).id).toBe(1)
    expect(() => signer.signWebhook({} as string, 'k')).toThrow('it was parsed before it came here')
  })
})

test('where there is node:crypto, it is used, bytes of another realm included', () => {
  const getBuiltinModule = vi.fn(process.getBuiltinModule)
  const signer = load({ process: { getBuiltinModule } })
  expect(getBuiltinModule).toHaveBeenCalledWith('node:crypto')
  expect(signer.signWebhook(Buffer.from('é'), 'k')).toBe(here.signWebhook('é', 'k'))
})

test('nothing is imported', () => {
  expect(source).not.toMatch(/\bimport\b|\brequire\b/)
})
