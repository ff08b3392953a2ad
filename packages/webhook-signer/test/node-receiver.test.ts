import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { formatWebhook, signWebhook, type WebhookPayment } from '@tillkit/webhook-signer'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { receiver } from './node-receiver.ts'

// The plain Node receiver of the README, on a real socket.
const key = 'whk_example'
const rawBody = formatWebhook('{"id":1,"merchantReference":"order 7 é"}')
const received: WebhookPayment[] = []
let server: Server

beforeEach(async () => {
  received.length = 0
  server = receiver(key, payment => void received.push(payment))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})

afterEach(() => {
  vi.restoreAllMocks()
  server.closeAllConnections()
  server.close()
})

const port = () => (server.address() as AddressInfo).port

async function post(body: string, authorization?: string): Promise<number> {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(authorization && { authorization }),
  }
  return (await fetch(`http://127.0.0.1:${port()}/`, { method: 'POST', body, headers })).status
}

test('it takes what was signed', async () => {
  expect(await post(rawBody, signWebhook(rawBody, key))).toBe(204)
  expect(received).toEqual([{ id: 1, merchantReference: 'order 7 é' }])
})

test('it takes a body that arrives byte by byte', async () => {
  const head = [
    'POST / HTTP/1.1',
    'Host: x',
    'Connection: close',
    `Content-Length: ${rawBody.length}`,
    `Authorization: ${signWebhook(rawBody, key)}`,
  ]
  const socket = connect(port(), '127.0.0.1').setNoDelay(true)
  for (const part of [`${head.join('\r\n')}\r\n\r\n`, ...rawBody]) {
    await new Promise(resolve => socket.write(part, resolve))
  }
  const answer: Buffer[] = []
  for await (const chunk of socket) answer.push(chunk)
  expect(Buffer.concat(answer).toString()).toMatch(/^HTTP\/1.1 204 /)
  expect(received).toHaveLength(1)
})

test('it refuses what was not signed, was signed with another key, or was changed', async () => {
  expect(await post(rawBody)).toBe(401)
  expect(await post(rawBody, signWebhook(rawBody, 'whk_other'))).toBe(401)
  expect(await post(`${rawBody}+`, signWebhook(rawBody, key))).toBe(401)
  expect(received).toEqual([])
})

test.each([262_144, 262_145, 8_000_000])('a body of %i bytes is looked at up to 256 KiB', async size => {
  expect(await post('p'.repeat(size))).toBe(size > 262_144 ? 413 : 401)
})

test('it answers 500 when the payment could not be taken, so that it is sent again', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue()
  expect(await post('payload=1', signWebhook('payload=1', key))).toBe(500)
  expect(error).toHaveBeenCalledWith(new SyntaxError('payload of rawBody must be a JSON object'))
})

test('the README shows this receiver', () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')
  expect(read('../README.md')).toContain(read('node-receiver.ts'))
})
