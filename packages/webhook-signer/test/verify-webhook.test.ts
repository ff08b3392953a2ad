import { signWebhook, verifyWebhook } from '@tillkit/webhook-signer'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const rawBody = 'payload=%7B%22id%22%3A1%7D'
const key = 'whk_example'
const authorization = signWebhook(rawBody, key)
const hash = authorization.slice(-64)

const anyKey = fc.string({ unit: 'binary', minLength: 1, maxLength: 150 })
const anyBytes = fc.uint8Array({ minLength: 1, maxLength: 300 })

test('what was signed is verified, as a string and as bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), anyKey, (text, key) => {
      const bytes = new TextEncoder().encode(text)
      expect(verifyWebhook({ rawBody: bytes, authorization: signWebhook(text, key), key })).toBe(true)
      expect(verifyWebhook({ rawBody: text, authorization: signWebhook(bytes, key), key })).toBe(true)
    }),
  )
})

test('a body with any one byte changed, added or taken away is not', () => {
  fc.assert(
    fc.property(anyBytes, anyKey, fc.nat(), fc.integer({ min: 1, max: 255 }), (bytes, key, place, change) => {
      const authorization = signWebhook(bytes, key)
      const at = place % bytes.length
      const changed = bytes.with(at, (bytes[at] as number) ^ change)
      for (const rawBody of [changed, bytes.subarray(1), Uint8Array.of(...bytes, change)]) {
        expect(verifyWebhook({ rawBody, authorization, key })).toBe(false)
      }
    }),
  )
})

test('a body signed with another key is not', () => {
  fc.assert(
    fc.property(anyBytes, anyKey, anyKey, (rawBody, key, other) => {
      // HMAC itself takes a short key and the same key with NULs behind it for one.
      fc.pre(key.replace(/\0+$/, '') !== other.replace(/\0+$/, ''))
      expect(verifyWebhook({ rawBody, authorization: signWebhook(rawBody, other), key })).toBe(false)
    }),
  )
})

test('a signature with any one character changed is not', () => {
  for (let at = 0; at < authorization.length; at++) {
    const other = authorization[at] === '0' ? '1' : '0'
    const changed = authorization.slice(0, at) + other + authorization.slice(at + 1)
    expect(verifyWebhook({ rawBody, authorization: changed, key })).toBe(false)
  }
})

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a list', [authorization]],
  ['a number', 1],
  ['an object', { toString: () => authorization, length: authorization.length }],
  ['empty', ''],
  ['another scheme', `Bearer signature=${hash}`],
  ['the scheme in lower case', authorization.toLowerCase()],
  ['upper-case digits', `Service signature=${hash.toUpperCase()}`],
  ['the hash alone', hash],
  ['no hash', 'Service signature='],
  ['a digit less', authorization.slice(0, -1)],
  ['a digit more', `${authorization}0`],
  ['quotes', `Service signature="${hash}"`],
  ['two spaces', `Service  signature=${hash}`],
  ['a space in front', ` ${authorization}`],
  ['a line break behind', `${authorization}\n`],
  ['another parameter', `${authorization}, x=y`],
  ['characters outside Latin', 'é'.repeat(authorization.length)],
  ['characters that are the same in their low bytes', authorization.replace(/./g, lift)],
])('an authorization that is %s is false and throws nothing', (_, authorization) => {
  expect(verifyWebhook({ rawBody, authorization: authorization as string, key })).toBe(false)
})

function lift(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 0x100)
}

test('a mistake of the receiver throws even where no signature was sent', () => {
  const parsed = { payload: '{"id":1}' } as unknown as string
  expect(() => verifyWebhook({ rawBody: parsed, authorization: undefined, key })).toThrow(/^rawBody must be/)
  expect(() => verifyWebhook({ rawBody, authorization: undefined, key: '' })).toThrow(/^key must be/)
  for (const nothing of [undefined, null]) {
    expect(() => verifyWebhook(nothing as never)).toThrow(/^rawBody must be/)
  }
})

test('the signature of the key before is looked for where it is handed over', () => {
  const previous = signWebhook(rawBody, 'whk_before')
  const received = { rawBody, authorization, previous }
  expect(verifyWebhook({ ...received, key })).toBe(true)
  expect(verifyWebhook({ ...received, key: 'whk_before' })).toBe(true)
  expect(verifyWebhook({ ...received, key: 'whk_other' })).toBe(false)
  expect(verifyWebhook({ rawBody, authorization, key: 'whk_before' })).toBe(false)
  for (const none of [undefined, null, '', [previous], hash, ` ${previous}`]) {
    expect(verifyWebhook({ rawBody, authorization, previous: none, key })).toBe(true)
    expect(verifyWebhook({ rawBody, authorization, previous: none, key: 'whk_before' })).toBe(false)
  }
  expect(verifyWebhook({ rawBody, authorization: undefined, previous, key: 'whk_before' })).toBe(true)
})
