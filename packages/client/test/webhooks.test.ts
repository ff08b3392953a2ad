import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  expressWebhooks,
  fastifyWebhooks,
  fetchWebhooks,
  formatWebhook,
  nodeWebhooks,
  signWebhook,
  type WebhookOptions,
  type WebhookPayment,
} from '@tillkit/client/webhooks'
import express from 'express'
import fastify from 'fastify'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

const key = 'whk_example'

type Take = (payment: WebhookPayment, request: unknown) => void | Promise<void>
type Options = Partial<WebhookOptions<unknown>>
/** Sends to a receiver, and says with what status it was answered. */
type Post = (init: RequestInit) => Promise<Response>
type Open = (options: Options, take: Take) => Promise<Post>

async function listen(listener: RequestListener): Promise<Post> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return init => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, init)
}

const open: Record<string, Open> = {
  fetch: async (options, take) => {
    const receive = fetchWebhooks({ key, ...options }, take)
    return init => receive(new Request('https://shop.example.com/hooks', init))
  },
  'plain Node': (options, take) => listen(nodeWebhooks({ key, ...options }, take)),
  Express: (options, take) => {
    const app = express()
    app.all('/hooks', expressWebhooks({ key, ...options }, take))
    return listen(app)
  },
  'Express behind express.raw': (options, take) => {
    const app = express()
    app.all('/hooks', express.raw({ type: '*/*' }), expressWebhooks({ key, ...options }, take))
    return listen(app)
  },
  'Express behind a parser that keeps rawBody': (options, take) => {
    const app = express()
    const verify = (request: object, _: unknown, rawBody: Buffer) => Object.assign(request, { rawBody })
    app.use(express.urlencoded({ extended: false, verify }))
    app.all('/hooks', expressWebhooks({ key, ...options }, take))
    return listen(app)
  },
  'Express behind a parser of other types': (options, take) => {
    const app = express()
    app.use(express.json())
    app.all('/hooks', expressWebhooks({ key, ...options }, take))
    return listen(app)
  },
  Fastify: async (options, take) => {
    const app = fastify({ exposeHeadRoutes: false })
    app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    app.register(fastifyWebhooks({ key, ...options }, take), { prefix: '/hooks' })
    onTestFinished(() => app.close())
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    return init => fetch(`${address}/hooks`, init)
  },
}

const rawBody = formatWebhook('{"id":7,"status":"completed","merchantReference":"order 7 é"}')
const form = { 'content-type': 'application/x-www-form-urlencoded' }

function delivery(body = rawBody, headers: Record<string, string> = {}): RequestInit {
  return { method: 'POST', body, headers: { ...form, authorization: signWebhook(body, key), ...headers } }
}

describe.each(Object.entries(open))('a receiver for %s', (name, receiver) => {
  async function opened(options: Options = {}, fault?: Error) {
    const taken: WebhookPayment[] = []
    const requests: unknown[] = []
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const post = await receiver({ onError, ...options }, async (payment, request) => {
      if (fault) throw fault
      taken.push(payment)
      requests.push(request)
    })
    return { taken, requests, errors, status: async (init: RequestInit) => (await post(init)).status }
  }

  test('hands on what was signed, with the request, and answers 204', async () => {
    const { status, taken, requests } = await opened()
    expect(await status(delivery())).toBe(204)
    expect(taken).toEqual([{ id: 7, status: 'completed', merchantReference: 'order 7 é' }])
    expect((requests[0] as Request).headers).toBeDefined()
  })

  test('takes either signature while two keys sign', async () => {
    const { status, taken } = await opened()
    const previous = signWebhook(rawBody, key)
    const authorization = signWebhook(rawBody, 'whk_new')
    expect(await status(delivery(rawBody, { authorization, 'webhook-signature-previous': previous }))).toBe(
      204,
    )
    expect(taken).toHaveLength(1)
  })

  test('answers 401 to what was not signed, signed with another key, or changed', async () => {
    const { status, taken } = await opened()
    const { authorization: _, ...unsigned } = delivery().headers as Record<string, string>
    expect(await status({ ...delivery(), headers: unsigned })).toBe(401)
    expect(await status(delivery(rawBody, { authorization: signWebhook(rawBody, 'other') }))).toBe(401)
    expect(await status({ ...delivery(), body: `${rawBody}+` })).toBe(401)
    expect(await status({ ...delivery(), body: '' })).toBe(401)
    expect(taken).toEqual([])
  })

  test('answers 400 to what was signed and is no payment', async () => {
    const { status, taken } = await opened()
    for (const body of ['payload=1', 'payload=%7B', 'other=1', 'payload=%7B%7D&payload=%7B%7D']) {
      expect(await status(delivery(body))).toBe(400)
    }
    expect(taken).toEqual([])
  })

  test('answers 413 to a body that is too long, and takes one that is not', async () => {
    const { status, taken } = await opened({ maxBytes: rawBody.length })
    expect(await status(delivery())).toBe(204)
    expect(await status(delivery(`${rawBody}+`))).toBe(413)
    expect(taken).toHaveLength(1)
  })

  test('answers 500 where the handler throws, so that it is sent again', async () => {
    const fault = new Error('no database')
    const { status, errors } = await opened({}, fault)
    expect(await status(delivery())).toBe(500)
    expect(errors).toEqual([fault])
  })

  test('goes on where onError fails as well, at once or later', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => printed.mockRestore())
    const away = new Error('no log')
    const throwing = () => {
      throw away
    }
    for (const onError of [throwing, async () => throwing()]) {
      const { status } = await opened({ onError }, new Error('no database'))
      expect(await status(delivery())).toBe(500)
      await vi.waitFor(() => expect(printed.mock.calls).toEqual([[away]]), { timeout: 60_000 })
      printed.mockClear()
    }
  })

  test('takes no other method', async () => {
    const { status, taken } = await opened()
    expect(await status({ method: 'GET', headers: { authorization: signWebhook('', key) } })).toBe(
      name === 'Fastify' ? 404 : 405,
    )
    expect(taken).toEqual([])
  })

  test('keeps tests from the handler', async () => {
    const tests: WebhookPayment[] = []
    const body = formatWebhook('{"id":0,"extra":{"test":"true"}}')
    const { status, taken } = await opened({ onTest: payment => void tests.push(payment) })
    expect(await status(delivery(body))).toBe(204)
    expect([taken, tests.length]).toEqual([[], 1])
  })

  test('knows the provider’s words', async () => {
    const vocabulary = { Service: 'SnapScan', scanCode: 'snapCode', payload: 'data' }
    const { status, taken } = await opened({ vocabulary })
    const body = rawBody.replace('payload', 'data').replace('merchantReference', 'snapCode')
    const signature = signWebhook(body, key)
    expect(await status(delivery(body))).toBe(401)
    const authorization = signature.replace('Service', 'SnapScan')
    expect(await status(delivery(body, { authorization }))).toBe(204)
    expect(taken).toEqual([{ id: 7, status: 'completed', scanCode: 'order 7 é' }])
  })
})

/** A receiver in Express that comes after a parser, and what it was told of. */
async function behind(parser: express.RequestHandler) {
  const errors: unknown[] = []
  const app = express()
  app.use(parser)
  app.post(
    '/hooks',
    expressWebhooks({ key, onError: error => errors.push(error) }, () => {}),
  )
  return { post: await listen(app), errors }
}

describe('a body that a parser has had before is named', () => {
  const body = delivery()

  test.each([
    ['express.urlencoded()', express.urlencoded({ extended: false })],
    [
      'a parser of its own',
      ((request, _response, next) => {
        request.resume()
        request.on('end', () => next())
      }) as express.RequestHandler,
    ],
  ])('in Express, by %s', async (_, parser) => {
    const { post, errors } = await behind(parser)
    expect((await post(body)).status).toBe(500)
    expect(String(errors[0])).toMatch(/raw body is gone.*Mount the receiver before the parser/)
  })

  test('in fetch', async () => {
    const errors: unknown[] = []
    const request = new Request('https://shop.example.com/', body)
    await request.text()
    const receive = fetchWebhooks({ key, onError: error => errors.push(error) }, () => {})
    expect((await receive(request)).status).toBe(500)
    expect(String(errors[0])).toMatch(/raw body is gone: request\.text\(\)/)
  })
})

test.each([
  ['none', (_request: unknown, _response: unknown, next: () => void) => next()],
  ['text', express.text({ type: '*/*' })],
  ['raw', express.raw({ type: '*/*' })],
])('an empty body, which nobody signed, is no fault of a parser before (%s)', async (_, parser) => {
  const { post, errors } = await behind(parser)
  expect([(await post({ method: 'POST', body: '' })).status, errors]).toEqual([401, []])
})

test('a client that went away before the receiver came to it is no delivery, and is not waited for', async () => {
  const handled = vi.fn()
  const { promise: told, resolve: tell } = Promise.withResolvers<unknown>()
  const receive = nodeWebhooks({ key, onError: tell }, handled)
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const client = new AbortController()
  const post = await listen(async (request, response) => {
    // As what a host asks first may take longer than a client waits.
    client.abort()
    await new Promise(resolve => request.once('close', () => setImmediate(resolve)))
    await receive(request, response)
    end()
  })
  const rawBody = formatWebhook(JSON.stringify({ id: 1 }))
  const headers = { authorization: signWebhook(rawBody, key) }
  await post({ method: 'POST', body: rawBody, headers, signal: client.signal }).catch(() => {})
  await over
  expect(String(await told)).toMatch(/ended before its body did/)
  expect(handled).not.toHaveBeenCalled()
})

test.each([
  [{}, /^key must be/],
  [{ key: '' }, /^key must be/],
  [{ key, limit: 1 }, /^limit is not an option/],
  [{ key, maxBytes: 0 }, /^maxBytes must be/],
  [{ key, onTest: 1 }, /^onTest must be a function/],
  [{ key, vocabulary: { scanCode: 'id' } }, /^vocabulary\.scanCode must not be id/],
])('the options %j are refused', (options, message) => {
  expect(() => nodeWebhooks(options as never, () => {})).toThrow(message)
  expect(() => nodeWebhooks({ key }, undefined as never)).toThrow('handler must be a function')
})
