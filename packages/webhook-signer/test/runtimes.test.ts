import { createHmac } from 'node:crypto'
import { createContext, runInContext } from 'node:vm'
import * as here from '@tillkit/webhook-signer'
import fc from 'fast-check'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { bundle } from './bundle.ts'

// The package in one file, in worlds with ECMAScript, three standard globals, and a `process` of their own or none.
let source: string

beforeAll(async () => {
  const program = `export * from '@tillkit/webhook-signer'`
  source = await bundle(program, { format: 'iife', platform: 'neutral' })
})

function load(globals: object): typeof here {
  const world = createContext({ TextEncoder, TextDecoder, URLSearchParams, ...globals })
  return runInContext(`${source};signer`, world)
}

// Of RFC 4231, the test cases whose keys are text.
const RFC_4231: [number, key: string, body: string | Uint8Array, hash: string][] = [
  [1, '\x0b'.repeat(20), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  [
    2,
    'Jefe',
    'what do ya want for nothing?',
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [
    4,
    String.fromCharCode(...Array.from({ length: 25 }, (_, i) => i + 1)),
    new Uint8Array(50).fill(0xcd),
    '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  ],
]

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
    // Every place where padding can fall; a Buffer, as of another realm; and a part of more.
    const whole = fc.uint8Array({ maxLength: 300 })
    const bytes = fc.oneof(
      whole,
      whole.map(all => Buffer.from(all)),
      whole.map(all => all.subarray(all.length / 3)),
    )
    const key = fc.string({ unit: 'binary', minLength: 1, maxLength: 150 })
    fc.assert(
      fc.property(fc.oneof(text, bytes, fc.constant('\ud800')), key, (rawBody, key) => {
        const authorization = `Service signature=${createHmac('sha256', key).update(rawBody).digest('hex')}`
        expect(signer.signWebhook(rawBody, key)).toBe(authorization)
        expect(signer.verifyWebhook({ rawBody, authorization, key })).toBe(true)
        expect(signer.verifyWebhook({ rawBody, authorization, key: `${key}.` })).toBe(false)
      }),
    )
    const rawBody = signer.formatWebhook('{"id":1}')
    expect(rawBody).toBe(here.formatWebhook('{"id":1}'))
    expect(signer.parseWebhook(Buffer.from(rawBody)).id).toBe(1)
    expect(() => signer.signWebhook({} as string, 'k')).toThrow('a parser had it before')
  })
})

test.each(RFC_4231)('where there is no process: test case %i of RFC 4231', (_, key, body, hash) => {
  expect(load({}).signWebhook(body, key)).toBe(`Service signature=${hash}`)
})

test('where there is no process: a body of a million bytes, and keys around a block', () => {
  const signer = load({})
  const body = 'a'.repeat(1_000_000)
  for (const length of [1, 63, 64, 65, 128]) {
    const key = 'k'.repeat(length)
    const hash = createHmac('sha256', key).update(body).digest('hex')
    expect(signer.signWebhook(body, key)).toBe(`Service signature=${hash}`)
  }
})

test('where there is node:crypto, it is used, bytes of another realm included', () => {
  const getBuiltinModule = vi.fn(process.getBuiltinModule)
  const signer = load({ process: { getBuiltinModule } })
  expect(getBuiltinModule).toHaveBeenCalledWith('node:crypto')
  expect(signer.signWebhook(Buffer.from('é'), 'k')).toBe(here.signWebhook('é', 'k'))
})

test.each(['neutral', 'browser', 'node'] as const)(
  'nothing is imported in a bundle for %s',
  async platform => {
    const program = `export * from '@tillkit/webhook-signer'`
    const code = await bundle(program, { format: 'esm', platform, minify: true })
    expect(code).not.toMatch(/\bimport\b|\brequire\b/)
  },
)
