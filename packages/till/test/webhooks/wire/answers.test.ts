import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { receiver, tcpReceiver } from '../receiver.ts'
import { scene } from '../scene.ts'

/** One attempt against `url`, and what was written of it. */
async function attempt(url: string, options = {}) {
  const { merchant, outcome, worker, delivery, clock } = scene()
  await merchant('m1', url)
  await outcome('m1')
  const counts = await worker(options).deliverDue()
  const written = await delivery('m1')
  const wait =
    written?.nextAttemptAt == null ? null : (Date.parse(written.nextAttemptAt) - clock().getTime()) / 1000
  return { ...written, counts, wait }
}

const withHeaders = (status: number, headers: Record<string, string>) => (response: ServerResponse) =>
  response.writeHead(status, headers).end('{}')

/** A receiver that answers a request with these bytes. */
const answering = (bytes: string) => tcpReceiver(socket => socket.once('data', () => socket.write(bytes)))

describe('an answer that ends a delivery well', () => {
  test.each([200, 201, 202, 204, 299])('%i', async status => {
    const { url } = await receiver(status)
    expect(await attempt(url)).toMatchObject({
      counts: { delivered: 1, failed: 0 },
      state: 'delivered',
      attempts: 1,
      lastStatus: status,
      lastError: null,
      nextAttemptAt: null,
      lastAttemptAt: '2026-11-20T09:30:00.000Z',
    })
  })

  test('after informational ones', async () => {
    const { url } = await receiver(response => {
      response.writeEarlyHints({ link: '</a>; rel=preload' })
      response.writeHead(204).end()
    })
    expect(await attempt(url)).toMatchObject({ state: 'delivered', lastStatus: 204 })
  })

  test('with 204 and a body that there cannot be', async () => {
    const { url } = await answering('HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello')
    expect(await attempt(url)).toMatchObject({ state: 'delivered', lastStatus: 204, lastError: null })
  })

  test('with a body that has no end: the connection is dropped after 64 KiB', async () => {
    let written = 0
    const dropped = Promise.withResolvers<void>()
    const { url } = await receiver(response => {
      response.writeHead(200)
      const more = () => {
        while (response.write(Buffer.alloc(8192, 120))) written += 8192
        response.once('drain', more)
      }
      response.once('close', dropped.resolve)
      more()
    })
    expect(await attempt(url, { timeoutSeconds: 60 })).toMatchObject({ state: 'delivered', lastStatus: 200 })
    await dropped.promise
    expect(written).toBeLessThan(64 * 1024 * 1024)
  })

  test('with a compression bomb, which is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024))
    const { url } = await receiver(response =>
      response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': bomb.length }).end(bomb),
    )
    expect(bomb.length).toBeLessThan(64 * 1024)
    expect(await attempt(url)).toMatchObject({ state: 'delivered', lastStatus: 200 })
  })

  test('with what claims to be compressed and is not', async () => {
    const { url } = await receiver(response =>
      response.writeHead(200, { 'Content-Encoding': 'br' }).end(randomBytes(100)),
    )
    expect(await attempt(url)).toMatchObject({ state: 'delivered' })
  })
})

describe('an answer that is a failure', () => {
  test.each([300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 422, 500, 502])('%i', async status => {
    const { url } = await receiver(status)
    expect(await attempt(url)).toMatchObject({
      counts: { delivered: 0, failed: 1 },
      state: 'pending',
      attempts: 1,
      lastStatus: status,
      lastError: `answered ${status}`,
      wait: 5,
    })
  })

  test('a redirect is not followed', async () => {
    const canary = await receiver()
    const { url } = await receiver(withHeaders(307, { Location: canary.url }))
    expect(await attempt(url)).toMatchObject({ lastStatus: 307, state: 'pending' })
    expect(canary.connections()).toBe(0)
  })

  test('410 gives up', async () => {
    const { url } = await receiver(410)
    expect(await attempt(url)).toMatchObject({ state: 'exhausted', lastStatus: 410, nextAttemptAt: null })
  })

  test.each([
    [429, '120', 120],
    [503, '7', 7],
    [503, 'Fri, 20 Nov 2026 09:31:30 GMT', 90],
    [429, 'Friday, 20-Nov-26 09:31:00 GMT', 60],
    [429, 'Fri, 20 Nov 2026 09:00:00 GMT', 0],
    [429, '99999999999999999999', 86_400],
    [429, 'soon', 5],
    [429, '-3', 5],
    [429, '2026-11-20T10:00:00Z', 5],
    [500, '120', 5],
  ])('%i with Retry-After: %s', async (status, value, wait) => {
    const { url } = await receiver(withHeaders(status, { 'Retry-After': value }))
    expect(await attempt(url)).toMatchObject({ state: 'pending', lastStatus: status, wait })
  })

  test.each([
    [410, 'exhausted'],
    [302, 'pending'],
  ])('%i counts although its body does not end', async (status, state) => {
    const { url } = await receiver(response => {
      response.writeHead(status).write('never mind')
    })
    expect(await attempt(url, { timeoutSeconds: 1 })).toMatchObject({ state, lastStatus: status })
  })
})

describe('no answer', () => {
  const failed = (lastError: string) => ({
    counts: { delivered: 0, failed: 1 },
    state: 'pending',
    lastStatus: null,
    lastError,
    wait: 5,
  })

  test('the connection is closed at once', async () => {
    const { url } = await tcpReceiver(socket => socket.destroy())
    expect(await attempt(url)).toMatchObject(failed('connection closed'))
  })

  test('the connection is closed after the request', async () => {
    const { url } = await tcpReceiver(socket => socket.once('data', () => socket.end()))
    expect(await attempt(url)).toMatchObject(failed('connection closed'))
  })

  test('the connection is closed within a body', async () => {
    const { url } = await tcpReceiver(socket =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')),
    )
    expect(await attempt(url)).toMatchObject(failed('connection closed'))
  })

  test('nobody listens', async () => {
    expect(await attempt('http://127.0.0.1:1/')).toMatchObject(failed('connection refused'))
  })

  test('what comes is not HTTP', async () => {
    const { url } = await tcpReceiver(socket => socket.once('data', () => socket.end('220 mail ESMTP\r\n')))
    expect(await attempt(url)).toMatchObject(failed('answered with what is not HTTP'))
  })

  test.each([
    [
      'with two lengths',
      '200 OK\r\nContent-Length: 1\r\nContent-Length: 2',
      'with a length that is not its own',
    ],
    ['that goes on, unasked', '100 Continue', 'with 100 Continue, which was not asked for'],
    ['in another protocol', '101 Switching\r\nUpgrade: h2c\r\nConnection: upgrade', 'in another protocol'],
  ])('one %s', async (_, head, text) => {
    const { url } = await answering(`HTTP/1.1 ${head}\r\n\r\na`)
    expect(await attempt(url)).toMatchObject(failed(`answered ${text}`))
  })

  test('headers without end', async () => {
    const { url } = await tcpReceiver(socket => {
      socket.write('HTTP/1.1 200 OK\r\n')
      for (let line = 0; line < 2000; line++) socket.write(`X-${line}: ${'x'.repeat(100)}\r\n`)
    })
    expect(await attempt(url)).toMatchObject(failed('answered with too many headers'))
  })

  test('informational answers without end', async () => {
    const dropped = Promise.withResolvers<void>()
    const { url } = await receiver(response => {
      const timer = setInterval(() => response.writeEarlyHints({ link: '</a>; rel=preload' }), 1)
      response.once('close', () => {
        clearInterval(timer)
        dropped.resolve()
      })
    })
    const { lastError } = await attempt(url, { timeoutSeconds: 300 })
    expect(lastError).toBe('answered with too many informational answers')
    await dropped.promise
  })

  test('nothing at all', async () => {
    const { url } = await tcpReceiver(() => {})
    expect(await attempt(url, { timeoutSeconds: 0.2 })).toMatchObject(failed('timed out after 0.2 s'))
  })

  test('one byte at a time, never an end', async () => {
    const { url } = await receiver(response => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'), 20)
      response.once('close', () => clearInterval(timer))
    })
    expect(await attempt(url, { timeoutSeconds: 0.3 })).toMatchObject(failed('timed out after 0.3 s'))
  })

  test('TLS stalls', async () => {
    const { port } = await tcpReceiver(() => {})
    const url = `https://127.0.0.1:${port}/`
    expect(await attempt(url, { timeoutSeconds: 0.2 })).toMatchObject(failed('timed out after 0.2 s'))
  })

  test('TLS is answered in plain text', async () => {
    const { port } = await tcpReceiver(socket =>
      socket.once('data', () => socket.end('HTTP/1.1 400 No\r\n\r\n')),
    )
    expect(await attempt(`https://127.0.0.1:${port}/`)).toMatchObject(failed('TLS failed'))
  })

  test('plain http, unless it is allowed', async () => {
    const { url, connections } = await receiver()
    expect(await attempt(url, { allowHttp: false })).toMatchObject(failed('webhook URL is not https'))
    expect(connections()).toBe(0)
  })

  test('a host name that does not exist', async () => {
    const { lastError, state } = await attempt('http://no-such-host.invalid/')
    expect(state).toBe('pending')
    expect(lastError).toMatch(/^host name (not found|lookup failed)$/)
  })
})

test('a merchant without a webhook URL any more: exhausted, with an error that says so', async () => {
  const { storage, merchant, outcome, worker, delivery, clock } = scene()
  await merchant('m1', 'http://127.0.0.1:1/')
  await outcome('m1')
  await storage.merchants.update('m1', { webhookUrl: null }, clock().toISOString())
  expect(await worker().deliverDue()).toEqual({ delivered: 0, failed: 1 })
  expect(await delivery('m1')).toMatchObject({
    state: 'exhausted',
    attempts: 1,
    lastError: 'merchant has no webhook URL',
  })
})
