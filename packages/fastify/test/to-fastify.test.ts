import { Writable } from 'node:stream'
import { createGunzip, gzipSync } from 'node:zlib'
import { toFastify } from '@tillkit/fastify'
import { type HttpHandler, json, merchantApi } from '@tillkit/http'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import fastify, { type FastifyPluginAsync } from 'fastify'
import { expect, expectTypeOf, onTestFinished, test, vi } from 'vitest'

const echo: HttpHandler = async ({ method, path, query }) => json(200, { method, path, query })
const bodyEcho: HttpHandler = async request => json(200, Buffer.from(await request.body()).toString())

test('inject() works', async () => {
  const till = createTill({ storage: memoryStorage() })
  const { id } = await till.merchants.create({ name: 'Corner Café' })
  const { apiKey } = await till.apiKeys.issue(id)
  const app = fastify()
  app.register(toFastify(merchantApi(till, { https: 'off' })), { prefix: '/v1' })
  const headers = { authorization: `Basic ${btoa(`${apiKey}:`)}` }

  const list = await app.inject({ url: '/v1/payments', headers })
  expect([list.statusCode, list.json(), list.headers['x-total']]).toEqual([200, [], '0'])
  const cashUp = await app.inject({ method: 'POST', url: '/v1/cash_ups', headers, payload: { any: 'thing' } })
  expect([cashUp.statusCode, cashUp.json().reference.length]).toEqual([200, 32])
  const head = await app.inject({ method: 'HEAD', url: '/v1/payments', headers })
  expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, '2', ''])
  expect((await app.inject({ url: '/v1/payments' })).statusCode).toBe(401)
})

test.each([
  ['/v1', '/v1/x', '/x'],
  ['/v1/', '/v1/x', '/x'],
  ['/shops/:shop/v1', '/shops/caf%C3%A9/v1/x%2Fy', '/x%2Fy'],
  ['/v1', '/%761/x', '/x'],
  ['', '/x/y', '/x/y'],
])('at the prefix %j the target %s is the path %s', async (prefix, url, path) => {
  const app = fastify()
  app.register(toFastify(echo), { prefix })
  expect((await app.inject({ url: `${url}?a=%zz` })).json()).toEqual({ method: 'GET', path, query: 'a=%zz' })
})

test('it can be registered within a plugin of the host’s, and follows rewriteUrl', async () => {
  const app = fastify({ rewriteUrl: request => (request.url ?? '').replace('/old', '/api') })
  app.register(async api => api.register(toFastify(echo), { prefix: '/v1' }), { prefix: '/api' })
  expect((await app.inject({ url: '/old/v1/x' })).json().path).toBe('/x')
})

test('hooks of the host run', async () => {
  const ran: string[] = []
  const app = fastify()
  app.addHook('onRequest', async () => void ran.push('onRequest'))
  app.addHook('preHandler', async request => void ran.push(`preHandler ${request.headers.host}`))
  app.addHook('onSend', async (_request, reply, payload) => {
    ran.push('onSend')
    reply.header('X-Host', 'shop')
    return payload
  })
  app.addHook('onResponse', async () => void ran.push('onResponse'))
  app.register(toFastify(echo), { prefix: '/v1' })
  const { headers } = await app.inject({ url: '/v1/x', headers: { host: 'shop.example.com' } })
  expect(headers['x-host']).toBe('shop')
  expect(ran).toEqual(['onRequest', 'preHandler shop.example.com', 'onSend', 'onResponse'])
})

test('parsers and hooks stay within the plugin', async () => {
  const app = fastify()
  app.register(toFastify(echo), { prefix: '/v1' })
  app.post('/host', async request => ({ type: request.headers['content-type'], body: request.body }))
  const post = (type: string) =>
    app.inject({ method: 'POST', url: '/host', headers: { 'content-type': type }, payload: '{"a":1}' })
  expect((await post('application/json')).json()).toEqual({ type: 'application/json', body: { a: 1 } })
  expect((await post('image/png')).statusCode).toBe(415)
  expect((await post('/')).statusCode).toBe(415)
})

test('a handler gets the headers as they were sent', async () => {
  const app = fastify()
  app.register(toFastify(async ({ headers }) => json(200, headers['content-type'] ?? null)))
  const type = async (headers: object) =>
    (await app.inject({ method: 'POST', url: '/', headers: { ...headers }, payload: 'x' })).json()
  expect(await type({ 'content-type': 'nonsense' })).toBe('nonsense')
})

test('a QUERY without a type is the handler’s, which sees none', async () => {
  const app = fastify()
  app.register(toFastify(async ({ method, headers }) => json(200, [method, headers['content-type'] ?? null])))
  app.route({ method: 'QUERY', url: '/host', handler: async () => 'of the host' })
  for (const payload of [undefined, 'x']) {
    const response = await app.inject({ method: 'QUERY', url: '/x', payload })
    expect([response.statusCode, response.json()]).toEqual([200, ['QUERY', null]])
  }
  expect((await app.inject({ method: 'QUERY', url: '/host' })).statusCode).toBe(400)
})

test('a body that a hook of the host decoded is the one a handler reads', async () => {
  const app = fastify()
  app.addHook('preParsing', async (_request, _reply, payload) => payload.pipe(createGunzip()))
  app.register(toFastify(bodyEcho), { prefix: '/v1' })
  const response = await app.inject({ method: 'POST', url: '/v1', payload: gzipSync('Grüße') })
  expect(response.json()).toBe('Grüße')
})

test('its logger gets the log lines, and no header', async () => {
  const lines: string[] = []
  const stream = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line))
      done()
    },
  })
  const app = fastify({ logger: { stream } })
  const till = createTill({ storage: memoryStorage(), logger: app.log })
  vi.spyOn(till, 'authenticate').mockRejectedValue(new Error('connect ECONNREFUSED'))
  app.register(toFastify(merchantApi(till, { https: 'off', logger: app.log })), { prefix: '/v1' })
  const headers = { authorization: `Basic ${btoa('tk_secret:')}` }
  expect((await app.inject({ url: '/v1/payments', headers })).statusCode).toBe(500)
  const failure = lines.map(line => JSON.parse(line)).find(({ msg }) => msg === 'request failed')
  expect(failure).toMatchObject({
    method: 'GET',
    path: '/payments',
    err: { message: 'connect ECONNREFUSED' },
  })
  expect(lines.join()).not.toContain(btoa('tk_secret:'))
})

test('a wrong option does not compile, and does not start', async () => {
  // @ts-expect-error a handler is a function of a request
  expect(() => toFastify({ '/v1': echo })).toThrowError(expect.objectContaining({ code: 'invalid_input' }))
  // @ts-expect-error its answer is a response
  toFastify(async () => 'text')
  // @ts-expect-error there are no options: Fastify's own settings are followed
  toFastify(echo, { trustProxy: true })
  expectTypeOf(toFastify(echo)).toEqualTypeOf<FastifyPluginAsync>()

  const app = fastify()
  // @ts-expect-error a prefix is text
  const wrong = () => app.register(toFastify(echo), { prefix: 5 })
  expect(wrong).toBeTypeOf('function')
  // @ts-expect-error it is called prefix
  app.register(toFastify(echo), { prefxi: '/v1' })
  await expect(app.ready()).rejects.toThrowError(
    expect.objectContaining({ message: expect.stringContaining('prefxi') }),
  )
})

test('a body that was refused as too large has its answer, by inject() as over a socket', async () => {
  const app = fastify()
  app.register(
    toFastify(async request => {
      const refused = await request.body({ bytes: 100 }).catch(error => error)
      return json(refused.status, 'refused')
    }),
  )
  const injected = await app.inject({ method: 'POST', url: '/', payload: 'x'.repeat(1_000_000) })
  expect(injected.statusCode).toBe(413)

  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const response = await fetch(address, { method: 'POST', body: 'x'.repeat(1_000_000) })
  expect([response.status, await response.json()]).toEqual([413, 'refused'])
})
