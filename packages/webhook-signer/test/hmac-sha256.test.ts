import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hmacSha256 } from '../src/hmac-sha256.ts'
import { sha256 } from '../src/sha256.ts'

const text = new TextEncoder()
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytes = (byte: number, length: number) => new Uint8Array(length).fill(byte)
// Every place where padding can fall, and more than a few blocks.
const message = fc.integer({ min: 0, max: 400 }).chain(length => {
  return fc.uint8Array({ minLength: length, maxLength: length })
})

test.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
  ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
])('the SHA-256 examples of NIST (%#)', (input, digest) => {
  expect(hex(sha256(text.encode(input)))).toBe(digest)
})

test.each([
  [1, bytes(0x0b, 20), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  [
    2,
    text.encode('Jefe'),
    'what do ya want for nothing?',
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [3, bytes(0xaa, 20), bytes(0xdd, 50), '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe'],
  [
    4,
    Uint8Array.from({ length: 25 }, (_, i) => i + 1),
    bytes(0xcd, 50),
    '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  ],
  [
    6,
    bytes(0xaa, 131),
    'Test Using Larger Than Block-Size Key - Hash Key First',
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
  [
    7,
    bytes(0xaa, 131),
    'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
    '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
  ],
])('test case %i of RFC 4231', (_, key, data, mac) => {
  expect(hex(hmacSha256(key, typeof data === 'string' ? text.encode(data) : data))).toBe(mac)
})

test('it is the SHA-256 of node:crypto, and does not change what it is given', () => {
  const check = (data: Uint8Array) => {
    const before = data.slice()
    expect(hex(sha256(data))).toBe(createHash('sha256').update(data).digest('hex'))
    expect(data).toEqual(before)
  }
  for (let length = 0; length <= 200; length++) check(bytes(0xa5, length))
  fc.assert(fc.property(message, check), { numRuns: 500 })
})

test('it is the HMAC-SHA256 of node:crypto, for keys below, at and above a block', () => {
  const check = (key: Uint8Array, data: Uint8Array) => {
    expect(hex(hmacSha256(key, data))).toBe(createHmac('sha256', key).update(data).digest('hex'))
  }
  for (const length of [0, 1, 63, 64, 65, 128]) check(bytes(0x5c, length), bytes(1, 100))
  fc.assert(fc.property(message, message, check), { numRuns: 500 })
})

test('a view into a larger buffer counts as what it shows', () => {
  const whole = Uint8Array.from({ length: 200 }, (_, i) => i)
  expect(sha256(whole.subarray(50, 150))).toEqual(sha256(whole.slice(50, 150)))
})
