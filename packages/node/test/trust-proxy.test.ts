import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
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
  ['203.0.113.7:4711', '203.0.113.7'],
  ['203.0.113.7:', '203.0.113.7'],
  ['  203.0.113.7 , ', '203.0.113.7'],
  [',,203.0.113.7,,', '203.0.113.7'],
  ['"203.0.113.7:4711"', '203.0.113.7'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['"[2001:db8::1]"', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['[fe80::1%eth0]:443', 'fe80::1'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['203.0.113.7, 10.0.0.3:4711', '203.0.113.7'],
  ['198.51.100.1, 203.0.113.7:1, 10.0.0.3:2, "[::ffff:10.0.0.4]:3"', '203.0.113.7'],
  ['unknown', '127.0.0.1'],
  ['', '127.0.0.1'],
  [' , ,', '127.0.0.1'],
  ['203.0.113.7, unknown', '127.0.0.1'],
  ['203.0.113.7, unknown, 10.0.0.3', '10.0.0.3'],
  ['203.0.113.7, _hidden, 198.51.100.2', '198.51.100.2'],
  ['203.0.113.7.9', '127.0.0.1'],
  ['203.0.113.7:4711:9', '127.0.0.1'],
  ['[203.0.113.7', '127.0.0.1'],
  ['2001:db8::1]:443', '127.0.0.1'],
  ['3405803783', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
  ['203.0.113.07', '127.0.0.1'],
  [`${'1.1.1.1,'.repeat(1200)}203.0.113.7`, '203.0.113.7'],
])('X-Forwarded-For: %s from trusted proxies is the client %s', async (header, remoteAddress) => {
  const headers = { 'X-Forwarded-For': header }
  expect((await seen('loopback, uniquelocal', headers)).remoteAddress).toBe(remoteAddress)
})

test('what names nobody is not believed where everybody is, either', async () => {
  const client = async (header: string) => (await seen(true, { 'X-Forwarded-For': header })).remoteAddress
  expect(await client('unknown, 203.0.113.7')).toBe('203.0.113.7')
  expect(await client('<script>, 203.0.113.7:80')).toBe('203.0.113.7')
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

test('of a list that is too long the end is looked at, and an address that is cut off there is none', async () => {
  const list = Array.from({ length: 300 }, () => '198.51.100.77').join(',') + ','.repeat(11)
  expect(list.slice(-4096)).toMatch(/^8\.51\.100\.77,/)
  expect((await seen(true, { 'X-Forwarded-For': list })).remoteAddress).toBe('198.51.100.77')
})

test('a function that answers with a promise believes nobody: each request fails, and the log says why', async () => {
  const said: unknown[] = []
  const logger = { error: (fields: object) => said.push(fields) }
  const trustProxy = async () => false
  const { raw } = await listen(toNode(echo, { trustProxy: trustProxy as never, logger }))
  expect(await raw(message('GET /', forwarded))).toMatch(/^HTTP\/1\.1 500 /)
  expect(said).toMatchObject([
    { err: { message: 'trustProxy must answer true or false, and not a promise of it' } },
  ])
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
  [null, 'the options of toNode must be an object'],
  [7, 'the options of toNode must be an object'],
])('the options %j are refused at once', (options, names) => {
  expect(() => toNode(echo, options as never)).toThrowError(
    expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining(names) }),
  )
})

test('options that cannot be read are refused', () => {
  const get = () => {
    throw new Error('hands off')
  }
  const getter = Object.defineProperty({}, 'logger', { enumerable: true, get })
  for (const options of [new Proxy({}, { ownKeys: get, get }), getter]) {
    expect(() => toNode(echo, options)).toThrowError('the options of toNode cannot be read')
  }
  expect(() => toNode(new Proxy({}, { ownKeys: get }))).toThrowError('handler cannot be read')
})

test('mounts are checked at once', () => {
  expect(() => toNode({ 'v1/': echo })).toThrowError('v1/')
})

test.skipIf(process.platform === 'win32').each([
  [true, true, '203.0.113.1'],
  [1, true, '10.0.0.3'],
  ['loopback', false, undefined],
  [false, false, undefined],
] as [TrustProxy, boolean, string | undefined][])(
  'over a Unix socket with %j: secure %s, the client %s',
  async (trustProxy, secure, remoteAddress) => {
    const folder = await mkdtemp(join(tmpdir(), 'tillkit-'))
    const socketPath = join(folder, 'http.sock')
    const server = createServer(toNode(echo, { trustProxy }))
    await new Promise<void>(resolve => server.listen(socketPath, resolve))
    try {
      const answer = await new Promise<string>((resolve, reject) => {
        get({ socketPath, headers: forwarded, agent: false }, response => resolve(text(response))).on(
          'error',
          reject,
        )
      })
      const told = JSON.parse(answer)
      expect([told.secure, told.remoteAddress]).toEqual([secure, remoteAddress])
    } finally {
      await new Promise(resolve => server.close(resolve))
      await rm(folder, { recursive: true })
    }
  },
)
