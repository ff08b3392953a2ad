import { createHmac } from 'node:crypto'
import { formatWebhook, parseWebhook, signWebhook, verifyWebhook } from '@tillkit/webhook-signer'
import { expect, test } from 'vitest'

const key = 'webhook key'
const vocabulary = {
  scanCode: 'snapCode',
  scanCodeReference: 'snapCodeReference',
  payload: 'event',
  Service: 'SnapScan',
  // Of other things.
  scan_code_size: 'snap_code_size',
  page: 'date',
}
const sent = {
  id: 7,
  date: '2026-11-20T09:30:00Z',
  snapCode: 'A1',
  snapCodeReference: null,
  extra: { scanCode: 'x' },
}
const rawBody = formatWebhook(JSON.stringify(sent), { vocabulary })

test('a delivery in other words is signed under their scheme, and verified with them alone', () => {
  const authorization = signWebhook(rawBody, key, { vocabulary })
  expect(authorization).toBe(`SnapScan signature=${createHmac('sha256', key).update(rawBody).digest('hex')}`)
  expect(verifyWebhook({ rawBody, authorization, key, vocabulary })).toBe(true)
  expect(verifyWebhook({ rawBody, authorization: undefined, previous: authorization, key, vocabulary })).toBe(
    true,
  )
  expect(verifyWebhook({ rawBody, authorization, key })).toBe(false)
  expect(verifyWebhook({ rawBody, authorization: signWebhook(rawBody, key), key, vocabulary })).toBe(false)
})

test('its payment comes under our names, and what is inside a field stays', () => {
  expect(rawBody).toMatch(/^event=/)
  expect(parseWebhook(rawBody, { vocabulary })).toEqual({
    id: 7,
    date: '2026-11-20T09:30:00Z',
    scanCode: 'A1',
    scanCodeReference: null,
    extra: { scanCode: 'x' },
  })
  expect(() => parseWebhook('payload={}', { vocabulary })).toThrow(
    new SyntaxError('rawBody must have one field event'),
  )
  expect(() => parseWebhook('event=[]', { vocabulary })).toThrow('event of rawBody must be a JSON object')
})

test('fields may change places', () => {
  const swapped = { scanCode: 'authCode', authCode: 'scanCode' }
  const body = formatWebhook('{"authCode":"A1","scanCode":"004213"}')
  expect(parseWebhook(body, { vocabulary: swapped })).toEqual({ scanCode: 'A1', authCode: '004213' })
})

test.each([
  [{ Service: 'Snap Scan' }, 'vocabulary.Service must be a word'],
  [{ Service: '' }, 'vocabulary.Service must be a word'],
  [{ Service: 7 as unknown as string }, 'vocabulary.Service must be a word'],
])('%j is a TypeError that names the entry', (wrong, message) => {
  expect(() => signWebhook(rawBody, key, { vocabulary: wrong })).toThrow(TypeError)
  expect(() => verifyWebhook({ rawBody, authorization: '', key, vocabulary: wrong })).toThrow(message)
})
