import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { CannotTry, checkConformance } from '@tillkit/conformance'
import type { HttpHandler, HttpRequest } from '@tillkit/http'
import { expect, onTestFinished, test } from 'vitest'
import { error } from './faults/plant.ts'
import { openScene } from './scene.ts'

const key = 'tk_live_0123456789abcdefghij'
const quick = { requestsPerSecond: 5000 }

/** The address of a server that says this to whatever is asked. */
async function saying(text: string): Promise<string> {
  const sockets: Socket[] = []
  const server = createServer(socket => {
    sockets.push(socket.on('error', () => {}))
    socket.once('data', () => socket.write(text))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

test.each([
  ['HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n', '101'],
  ['HTTP/1.1 100 Continue\r\n\r\n', 'no answer within 1 s'],
  ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[', 'no answer within 1 s'],
  ['[]\r\n\r\n', 'no answer'],
])('who answers %j cannot be tried', async (text, why) => {
  const trying = checkConformance({ url: await saying(text), key, timeoutSeconds: 1, ...quick })
  await expect(trying).rejects.toThrow(CannotTry)
  await expect(trying).rejects.toThrow(why)
})

test('a host in the same process that never answers cannot be tried', async () => {
  const fetch = () => new Promise<never>(() => {})
  const trying = checkConformance({ url: 'https://pay.example.com/v1', key, fetch, timeoutSeconds: 1 })
  await expect(trying).rejects.toThrow('no answer within 1 s')
})

/** An instance whose payments are made into something else before they are sent. */
const remade = (remake: (json: string) => string) => ({
  api: (handler: HttpHandler): HttpHandler => {
    return async (request: HttpRequest) => {
      const response = await handler(request)
      if (response.status !== 200 || typeof response.body !== 'string') return response
      const body = remake(response.body)
      return {
        ...response,
        body,
        headers: { ...response.headers, 'Content-Length': String(Buffer.byteLength(body)) },
      }
    }
  },
})

test.each([
  [
    'letters that are none',
    (json: string) => json.replace(/"merchantReference":"[^"]*"/g, '"merchantReference":"\\ud800"'),
    /cannot be looked at/,
  ],
  [
    'lists in lists',
    (json: string) => json.replace('"extra":{}', `"extra":${'['.repeat(2e4)}${']'.repeat(2e4)}`),
    /cannot be looked at|extra is \[\[/,
  ],
  [
    'a path that is none',
    (json: string) => json.replaceAll('"reference":"', '"reference":"a\\r\\nb: c'),
    /cannot be looked at/,
  ],
])('%s differ', async (_, remake, unlike) => {
  const scene = await openScene(remade(remake))
  const only = ['filter-merchantReference', 'one-payment', 'periods']
  const report = await checkConformance({ url: scene.url, key: scene.key, only, ...quick })
  expect(report.conforms).toBe(false)
  // Later versions of Node read JSON of any depth: there it is looked at, and differs.
  expect(JSON.stringify(report)).toMatch(unlike)
})

test('a date that no clock shows is said', async () => {
  const scene = await openScene(
    remade(json => json.replace(/"date":"[^"]*"/, '"date":"+275760-09-13T00:00:00.000Z"')),
  )
  const trying = checkConformance({ url: scene.url, key: scene.key, ...quick })
  await expect(trying).rejects.toThrow(
    'what was answered cannot be looked at: RangeError: Invalid time value',
  )
})

test('a key that is said again is shown to nobody, nor what moves a cursor', async () => {
  const scene = await openScene({
    api: handler => async request => {
      const { authorization = '' } = request.headers
      const said = Buffer.from(authorization.slice('Basic '.length), 'base64').toString()
      const response = await handler(request)
      if (response.status < 400) return response
      const code = `${said} ${authorization} \u001b[2J \u009b2J \u202e`
      return error(response.status, code, { 'X-Request-Id': said || '1' })
    },
  })
  const report = JSON.stringify(await checkConformance({ url: scene.url, key: scene.key, ...quick }))
  expect(report).toContain('$KEY')
  for (const before of ['', ':', 'x:']) {
    const sent = Buffer.from(`${before}${scene.key}`).toString('base64')
    for (const secret of [scene.key, sent.slice(4, -4)]) expect(report).not.toContain(secret)
  }
  expect(report).not.toMatch(/[\p{Cc}\u202e]/u)
})

test('a key in the words that refuse it is shown to nobody', async () => {
  const scene = await openScene({
    api:
      () =>
      async ({ headers: { authorization = '' } }) => {
        const said = Buffer.from(authorization.slice('Basic '.length), 'base64').toString()
        return error(400, 'invalid_parameter', {}, `${said} ${authorization} \u001b[2J`)
      },
  })
  const refused = await checkConformance({ url: scene.url, key: scene.key, ...quick }).catch(String)
  expect(refused).toMatch(
    /GET \/payments answers 400 "\$KEY: Basic \$KEY\w*=* \\u001b\[2J": nothing can be tried/,
  )
})
