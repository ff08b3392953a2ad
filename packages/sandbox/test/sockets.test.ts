import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNode } from '@tillkit/node'
import { expect, onTestFinished, test } from 'vitest'
import { openScene } from './scene.ts'

async function serve() {
  const scene = await openScene({ api: { https: 'off' } })
  const server = createServer(toNode({ '/v1': scene.sandbox.handler })).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
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
