import { type TrustProxy, toNode } from '@tillkit/node'
import { expect, test } from 'vitest'
import { echo } from './echo.ts'
import { bodyOf, listen, listenSecurely, message } from './server.ts'

const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '203.0.113.1, 198.51.100.2, 10.0.0.3' }

async function seen(trustProxy: TrustProxy | undefined, headers: Record<string, string> = forwarded) {
  const { raw } = await listen(toNode(echo, { trustProxy }))
  const { secure, remoteAddress } = JSON.parse(bodyOf(await raw(message('GET /', headers))))
  return { secure, remoteAddress }
}

const nobody = { secure: false, remoteAddress: '127.0.0.1' }

test.each([[undefined], [false], [0], [[]], ['10.0.0.0/8'], [['203.0.113.1', '::1']], [() => false]])(
  'with %j forged headers are not believed',
  async trustProxy => {
    expect(await seen(trustProxy as TrustProxy)).toEqual(nobody)
  },
)

test.each([
  [true, '203.0.113.1'],
  [1, '10.0.0.3'],
  [2, '198.51.100.2'],
  [9, '203.0.113.1'],
  ['loopback', '10.0.0.3'],
  ['127.0.0.1', '10.0.0.3'],
  ['loopback, uniquelocal', '198.51.100.2'],
  [['127.0.0.0/8', '10.0.0.0/8', '198.51.100.2'], '203.0.113.1'],
  [(address: string) => address === '127.0.0.1', '10.0.0.3'],
  [(_: string, distance: number) => distance < 2, '198.51.100.2'],
] as [TrustProxy, string][])('with %j the client is %s', async (trustProxy, remoteAddress) => {
  expect(await seen(trustProxy)).toEqual({ secure: true, remoteAddress })
})

test.each([
  ['https', true],
  ['HTTPS', true],
  ['https, http', true],
  [' https ,http', true],
  ['http, https', false],
  ['http', false],
  ['', false],
  ['httpsx', false],
])('X-Forwarded-Proto: %s from a trusted peer', async (protocol, secure) => {
  expect((await seen('loopback', { 'X-Forwarded-Proto': protocol })).secure).toBe(secure)
})

test('a trusted proxy that speaks TLS to us may still have had a plain client', async () => {
  const { raw } = await listenSecurely(toNode(echo, { trustProxy: 'loopback' }))
  const secure = async (headers: Record<string, string>) =>
    JSON.parse(bodyOf(await raw(message('GET /', headers)))).secure
  expect(await secure({})).toBe(true)
  expect(await secure({ 'X-Forwarded-Proto': 'http' })).toBe(false)
})

test.each([
  [{ trustProxy: 'loopbak' }, 'trustProxy'],
  [{ trustProxy: '10.0.0.0/99' }, 'trustProxy'],
  [{ trustProxy: -1 }, 'trustProxy'],
  [{ trustProxy: 1.5 }, 'trustProxy'],
  [{ trustProxy: {} }, 'trustProxy'],
  [{ trustProxy: [5] }, 'trustProxy'],
  [{ trustProxy: null }, 'trustProxy'],
  [{ trustproxy: true }, 'trustproxy'],
  [{ logger: {} }, 'logger'],
])('the options %j are refused at once', (options, names) => {
  expect(() => toNode(echo, options as never)).toThrowError(
    expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining(names) }),
  )
})

test('mounts are checked at once', () => {
  expect(() => toNode({ 'v1/': echo })).toThrowError('v1/')
})
