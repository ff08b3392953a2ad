import { createHmac } from 'node:crypto'
import { signWebhook } from '@tillkit/webhook-signer'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const text = fc.string({ unit: 'binary' })
const key = fc.string({ unit: 'binary', minLength: 1, maxLength: 150 })

// The hashes are from: printf '%s' "$body" | openssl dgst -sha256 -hmac "$key"
test.each([
  [
    'payload=%7B%22id%22%3A1%2C%22status%22%3A%22completed%22%7D',
    'whk_example',
    'ff35e6834d177b305f9470ccb1e5e486e7554cc27c9ceb967dce62c49c97bfc3',
  ],
  [
    'payload=%7B%22x%22%3A%22é€😀%22%7D',
    'clé-€',
    '2b262e93110ba9791539b927b175a3badacda7809a761b4550ba2a02765de5bf',
  ],
  ['', 'k', '8bb990c40a7d61cb97597a942125025be50ac8beb74436e3735b98893a7f6620'],
])('the whole Authorization value (%#)', (rawBody, key, hash) => {
  expect(signWebhook(rawBody, key)).toBe(`Service signature=${hash}`)
  expect(signWebhook(new TextEncoder().encode(rawBody), key)).toBe(`Service signature=${hash}`)
  expect(signWebhook(Buffer.from(rawBody), key)).toBe(`Service signature=${hash}`)
})

test('text is signed as its UTF-8, half surrogate pairs and all', () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.constant('\ud800x')), key, (rawBody, key) => {
      const hash = createHmac('sha256', key).update(rawBody, 'utf8').digest('hex')
      expect(signWebhook(rawBody, key)).toBe(`Service signature=${hash}`)
      expect(signWebhook(new TextEncoder().encode(rawBody), key)).toBe(`Service signature=${hash}`)
    }),
  )
})

test('bytes that are no UTF-8 are signed as they are', () => {
  fc.assert(
    fc.property(fc.uint8Array(), key, (rawBody, key) => {
      const hash = createHmac('sha256', key).update(rawBody).digest('hex')
      expect(signWebhook(rawBody, key)).toBe(`Service signature=${hash}`)
    }),
  )
})

test.each([[''], [undefined], [null], [Buffer.from('key')]])('the key %o is refused', key => {
  expect(() => signWebhook('payload=%7B%7D', key as string)).toThrow(TypeError)
  expect(() => signWebhook('payload=%7B%7D', key as string)).toThrow(/^key must be/)
})

test.each([
  [{ payload: '{"id":1}' }, 'a parser had it before'],
  [[1, 2], 'a parser had it before'],
  [undefined, 'undefined: no body was read'],
  [null, 'null'],
  [7, 'a number'],
  [Promise.resolve('payload=%7B%7D'), 'a promise: await it'],
  [new ArrayBuffer(3), 'pass new Uint8Array(rawBody)'],
  [new Uint16Array(3), 'an object'],
])('the body %o is refused', (rawBody: unknown, mistake) => {
  const sign = () => signWebhook(rawBody as string, 'k')
  expect(sign).toThrow(TypeError)
  expect(sign).toThrow(/^rawBody must be/)
  expect(sign).toThrow(mistake)
})
