import { createHmac } from 'node:crypto'
import {
  formatWebhook,
  signStandardWebhook,
  standardWebhooksSecret,
  verifyStandardWebhook,
} from '@tillkit/webhook-signer'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'

const key = `whk_${'0f'.repeat(32)}`
const rawBody = formatWebhook('{"id":1,"extra":{"name":"é😀"}}')
const now = new Date()
const timestamp = Math.floor(now.getTime() / 1000)
const signature = signStandardWebhook({ id: 'shop:1', timestamp, rawBody, key })
const received = { rawBody, id: 'shop:1', timestamp: `${timestamp}`, signature, key, now }
const headers = {
  'webhook-id': 'shop:1',
  'webhook-timestamp': `${timestamp}`,
  'webhook-signature': signature,
}

describe('the package standardwebhooks', () => {
  test('verifies what is signed here, with the key as a secret or as it is', () => {
    const options = { jsonParse: false }
    expect(new Webhook(standardWebhooksSecret(key)).verify(rawBody, headers, options)).toBe(undefined)
    expect(new Webhook(key, { format: 'raw' }).verify(Buffer.from(rawBody), headers, options)).toBe(undefined)
  })

  test('takes either of two signatures, as while keys overlap, and so does what is here', () => {
    const next = `whk_${'a1'.repeat(32)}`
    const two = `${signStandardWebhook({ id: 'shop:1', timestamp, rawBody, key: next })} ${signature}`
    for (const one of [next, key]) {
      const library = new Webhook(standardWebhooksSecret(one))
      const both = { ...headers, 'webhook-signature': two }
      expect(library.verify(rawBody, both, { jsonParse: false })).toBe(undefined)
      expect(verifyStandardWebhook({ ...received, signature: two, key: one })).toBe(true)
    }
    expect(verifyStandardWebhook({ ...received, signature: two, key: `${key}0` })).toBe(false)
  })

  test('refuses another body, id, timestamp or key', () => {
    const secret = standardWebhooksSecret(key)
    const verify =
      (body: string, changed: object, from = secret) =>
      () =>
        new Webhook(from).verify(body, { ...headers, ...changed }, { jsonParse: false })
    expect(verify(`${rawBody} `, {})).toThrow('No matching signature')
    expect(verify(rawBody, { 'webhook-id': 'shop:2' })).toThrow('No matching signature')
    expect(verify(rawBody, { 'webhook-timestamp': `${timestamp - 1}` })).toThrow('No matching signature')
    expect(verify(rawBody, {}, standardWebhooksSecret(`${key}0`))).toThrow('No matching signature')
  })

  test('signs alike, whatever the key, the id and the body', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9:_~-]+$/)
    const anyKey = fc.string({ unit: 'binary', minLength: 1, maxLength: 150 })
    fc.assert(
      fc.property(id, anyKey, fc.string({ unit: 'binary' }), (id, key, rawBody) => {
        const theirs = new Webhook(standardWebhooksSecret(key)).sign(id, now, rawBody)
        expect(signStandardWebhook({ id, timestamp, rawBody, key })).toBe(theirs)
        const bytes = new TextEncoder().encode(rawBody)
        expect(signStandardWebhook({ id, timestamp, rawBody: bytes, key })).toBe(theirs)
        const all = { rawBody, id, timestamp: `${timestamp}`, signature: theirs, key, now }
        expect(verifyStandardWebhook(all)).toBe(true)
      }),
    )
  })
})

test('the signature is the HMAC-SHA256 of id, timestamp and body in base64', () => {
  const hash = createHmac('sha256', key).update(`shop:1.${timestamp}.${rawBody}`).digest('base64')
  expect(signature).toBe(`v1,${hash}`)
  expect(standardWebhooksSecret('whk_a')).toBe(`whsec_${Buffer.from('whk_a').toString('base64')}`)
})

test('one right signature among several is enough', () => {
  const list = `v1a,xyz v1,${'A'.repeat(43)}= ${signature}`
  expect(verifyStandardWebhook({ ...received, signature: list })).toBe(true)
})

test('a delivery that is too old or too new is not verified', () => {
  const after = (seconds: number) => new Date((timestamp + seconds) * 1000)
  expect(verifyStandardWebhook({ ...received, now: after(300) })).toBe(true)
  expect(verifyStandardWebhook({ ...received, now: after(301) })).toBe(false)
  expect(verifyStandardWebhook({ ...received, now: after(-300) })).toBe(true)
  expect(verifyStandardWebhook({ ...received, now: after(-301) })).toBe(false)
  expect(verifyStandardWebhook({ ...received, now: after(-301), toleranceSeconds: 400 })).toBe(true)
  expect(verifyStandardWebhook({ ...received, now: new Date(Number.NaN) })).toBe(false)
})

test.each([
  ['no signature', { signature: undefined }],
  ['an empty one', { signature: '' }],
  ['a list', { signature: [signature] }],
  ['another version', { signature: signature.replace('v1', 'v2') }],
  ['no id', { id: null }],
  ['an id with a full stop', { id: 'shop.1' }],
  ['another id', { id: 'shop:2' }],
  ['no timestamp', { timestamp: undefined }],
  ['a timestamp that is none', { timestamp: 'soon' }],
  ['a timestamp in another form', { timestamp: `0${timestamp}` }],
  ['another body', { rawBody: `${rawBody}&` }],
  ['another key', { key: 'whk_other' }],
])('%s is not verified', (_, changed) => {
  expect(verifyStandardWebhook({ ...received, ...changed })).toBe(false)
})

test('a mistake of the receiver or the sender throws', () => {
  const parsed = { payload: '{}' } as unknown as string
  expect(() => verifyStandardWebhook({ ...received, rawBody: parsed })).toThrow(/^rawBody must be/)
  expect(() => verifyStandardWebhook({ ...received, key: '' })).toThrow(/^key must be/)
  expect(() => signStandardWebhook({ id: 'a.b', timestamp, rawBody, key })).toThrow(/^id must be/)
  expect(() => signStandardWebhook({ id: 'a', timestamp: 1.5, rawBody, key })).toThrow(/^timestamp must be/)
  expect(() => standardWebhooksSecret('')).toThrow(/^key must be/)
})
