import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toExpress } from '@tillkit/express'
import { toFastify } from '@tillkit/fastify'
import type { HttpHandler } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import express from 'express'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { openScene } from './scene.ts'

/** The address of what is mounted at `/v1`, until the test ends. */
async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

async function serve() {
  const scene = await openScene({ api: { https: 'off' } })
  const base = await listen(toNode({ '/v1': scene.sandbox.handler }))
  const authorization = `Basic ${btoa(`${scene.testKey}:`)}`
  const post = (path: string, body: string) =>
    fetch(`${base}${path}`, { method: 'POST', headers: { authorization }, body })
  return { ...scene, base, authorization, post }
}

test('over a socket a body is read up to 64 KiB, and must be a JSON object', async () => {
  const { post, liveShop } = await serve()
  const padded = (length: number) => JSON.stringify({ totalAmount: 1 }).padEnd(length)
  expect((await post('/sandbox/payments', padded(65_536))).status).toBe(200)
  expect((await post('/sandbox/payments', padded(65_537))).status).toBe(413)
  for (const body of ['{', 'null', '"text"', '[]', '\ud800', '{"totalAmount":1,"__proto__":{"id":9}}']) {
    const answer = await post('/sandbox/payments', body)
    expect([answer.status, JSON.parse(await answer.text()).code]).toEqual([400, 'invalid_parameter'])
  }
  expect(JSON.parse(String((await liveShop.get('/payments')).body))).toEqual([])
})

test('every answer has what those of the API have: CORS, limits and a request id', async () => {
  const { post, base, authorization } = await serve()
  const made = await post('/sandbox/payments', '{"totalAmount":1}')
  expect(Object.fromEntries(made.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'no-store',
    'ratelimit-policy': '"key";q=100;w=1',
    'x-request-id': expect.any(String),
  })
  const headers = { origin: 'https://shop.example.com', 'access-control-request-method': 'POST' }
  const preflight = await fetch(`${base}/sandbox/payments`, { method: 'OPTIONS', headers })
  expect(preflight.status).toBe(204)
  const head = await fetch(`${base}/sandbox/clock`, { method: 'HEAD', headers: { authorization } })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

const mounts: Record<string, (handler: HttpHandler) => Promise<RequestListener>> = {
  'plain Node': async handler => toNode({ '/v1': handler }),
  'Express before its parsers': async handler => {
    const app = express()
    app.use('/v1', toExpress(handler))
    app.use(express.json(), express.urlencoded({ extended: false }))
    return app
  },
  Fastify: async handler => {
    const app = fastify()
    await app.register(toFastify(handler), { prefix: '/v1' })
    await app.ready()
    return app.routing
  },
}

test.each(Object.entries(mounts))(
  'mounted in %s it takes JSON and bodies without a type',
  async (_, mount) => {
    const { sandbox, testKey, liveKey } = await openScene({ api: { https: 'off' } })
    const base = await listen(await mount(sandbox.handler))
    const send = (key: string, headers: Record<string, string>) =>
      fetch(`${base}/sandbox/payments`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${key}:`)}`, ...headers },
        body: Buffer.from('{"totalAmount":1250}'),
      })
    for (const [n, type] of ['application/json', 'application/x-www-form-urlencoded', undefined].entries()) {
      const made = await send(testKey, type === undefined ? {} : { 'content-type': type })
      expect([type, made.status, await made.json()]).toMatchObject([
        type,
        200,
        { id: n + 1, totalAmount: 1250 },
      ])
    }
    expect((await send(liveKey, {})).status).toBe(404)
  },
)
