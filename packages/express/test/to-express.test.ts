import { toExpress } from '@tillkit/express'
import { type HttpHandler, type HttpRequest, json } from '@tillkit/http'
import express, { type ErrorRequestHandler, type Express, Router } from 'express'
import { expect, expectTypeOf, onTestFinished, test, vi } from 'vitest'
import { listening } from './host.ts'

async function served(app: Express) {
  const { port, close } = await listening(app)
  onTestFinished(close)
  return (target: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${target}`, init)
}

const echo: HttpHandler = async ({ path, query }) => json(200, { path, query })

test('it works in a Router, below parameters, and below another one', async () => {
  const app = express()
  const shops = Router()
  const inner = Router()
  inner.use('/v1', toExpress(echo))
  shops.use('/shops/:shop', inner)
  app.use('/api', shops)
  const ask = await served(app)
  expect(await (await ask('/api/shops/caf%C3%A9/v1/a%2Fb?x=%zz')).json()).toEqual({
    path: '/a%2Fb',
    query: 'x=%zz',
  })
})

test('it is used among other middleware, and answers what is below its mount itself', async () => {
  const before = vi.fn()
  const after = vi.fn()
  const app = express()
  app.use((_request, response, next) => {
    before()
    response.set('X-Host', 'shop')
    next()
  })
  app.use(
    '/v1',
    toExpress(async () => json(404, { message: 'ours' })),
  )
  app.use((_request, response) => {
    after()
    response.sendStatus(404)
  })
  const ask = await served(app)
  const response = await ask('/v1/nothing')
  expect([response.headers.get('X-Host'), await response.json()]).toEqual(['shop', { message: 'ours' }])
  expect(before).toHaveBeenCalledOnce()
  expect(after).not.toHaveBeenCalled()
  await ask('/elsewhere')
  expect(after).toHaveBeenCalledOnce()
})

test('what a handler throws reaches next as it is', async () => {
  const thrown = new Error('hunter2')
  const caught = vi.fn()
  const app = express()
  app.use(
    '/v1',
    toExpress(() => Promise.reject(thrown)),
  )
  app.use(((error, _request, response, _next) => {
    caught(error)
    response.sendStatus(503)
  }) satisfies ErrorRequestHandler)
  expect((await (await served(app))('/v1')).status).toBe(503)
  expect(caught.mock.lastCall?.[0]).toBe(thrown)
})

test('OPTIONS * is about the server, and goes on to next', async () => {
  const handler = vi.fn(echo)
  const next = vi.fn()
  await toExpress(handler)({ url: '*', method: 'OPTIONS' } as never, {} as never, next)
  expect(next).toHaveBeenCalledExactlyOnceWith()
  expect(handler).not.toHaveBeenCalled()
})

test.each([
  ['bytes', express.raw({ type: '*/*' })],
  ['text', express.text({ type: '*/*' })],
])('a body that was parsed as %s reaches a handler that reads', async (_, parser) => {
  const app = express()
  app.use(parser)
  app.use(
    '/v1',
    toExpress(async request => json(200, Buffer.from(await request.body()).toString())),
  )
  const response = await (await served(app))('/v1', { method: 'POST', body: 'Grüße' })
  expect(await response.json()).toBe('Grüße')
})

test('one that was parsed as JSON is gone, and the error says so', async () => {
  const reason = vi.fn()
  const app = express()
  app.use(express.json())
  app.use(
    '/v1',
    toExpress(async (request: HttpRequest) => {
      await request.body().catch(error => reason(error.message))
      return json(200, {})
    }),
  )
  const headers = { 'Content-Type': 'application/json' }
  await (await served(app))('/v1', { method: 'POST', headers, body: '{}' })
  expect(reason.mock.lastCall?.[0]).toMatch(/parsed before/)
})

test("before a parser, a body that the parser would refuse is in nobody's way", async () => {
  const app = express()
  app.use('/v1', toExpress(echo))
  app.use(express.json())
  const ask = await served(app)
  const headers = { 'Content-Type': 'application/json' }
  expect((await ask('/v1', { method: 'POST', headers, body: '{' })).status).toBe(200)
  const other = await ask('/other', { method: 'POST', headers, body: '{' })
  expect([other.status, other.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
})

test('what is not a handler does not compile, and is refused at once', () => {
  // @ts-expect-error a handler is a function of a request
  expect(() => toExpress({ '/v1': echo })).toThrowError(expect.objectContaining({ code: 'invalid_input' }))
  // @ts-expect-error its answer is a response
  toExpress(async () => 'text')
  // @ts-expect-error there are no options: Express' own settings are followed
  toExpress(echo, { trustProxy: true })
  expectTypeOf(toExpress(echo)).toEqualTypeOf<express.RequestHandler>()
})
