import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ErrorCode } from '@tillkit/http'
import { signWebhook, verifyWebhook } from '@tillkit/webhook-signer'
import { expect, onTestFinished, test } from 'vitest'
import { type Exchange, stepsOf } from './api/exchange.ts'
import { openScene } from './api/scene.ts'
import { blocksOf, readPage } from './page.ts'

const page = readPage('api.md')

/** What is random has another value here than on the page, and one value throughout: the first that is met. */
function translation() {
  const random: Record<string, RegExp> = { reference: /^[0-9a-f]{32}$/, authCode: /^\d{6}$/ }
  const values = new Map<string, string>()
  const learn = (shown: unknown, actual: unknown): void => {
    if (typeof shown !== 'object' || shown === null) return
    for (const [name, value] of Object.entries(shown)) {
      const found = (actual as Record<string, unknown> | null)?.[name]
      const form = random[name]
      if (form === undefined) learn(value, found)
      else if (form.test(String(value)) && form.test(String(found)) && !values.has(value)) {
        values.set(value, String(found))
      }
    }
  }
  const translated = (shown: string) =>
    [...values].reduce((said, [from, to]) => said.replaceAll(from, to), shown)
  return { learn, translated }
}

test('a server answers as the page says', async () => {
  const receiver = await listen()
  const scene = await openScene(receiver.url)
  onTestFinished(scene.close)
  const { learn, translated } = translation()

  const compare = async ({ method, target, headers, answer }: Exchange) => {
    const sent = new Headers(headers)
    if (sent.has('authorization')) sent.set('authorization', `Basic ${scene.credentials}`)
    const response = await scene.ask(translated(target), { method, headers: sent })
    const body = await response.text()
    expect.soft(response.status, `${method} ${target}\n${body}`).toBe(answer?.status)
    for (const [name, value] of Object.entries(answer?.headers ?? {})) {
      expect.soft(response.headers.get(name), `${name} of ${method} ${target}`).toBe(value)
    }
    if (!answer?.body) return
    learn(JSON.parse(answer.body), JSON.parse(body))
    expect.soft(JSON.parse(body), `${method} ${target}`).toEqual(JSON.parse(translated(answer.body)))
  }

  const webhooks: Exchange[] = []
  for (const step of stepsOf(page)) {
    if (typeof step === 'string') await scene.happen(step)
    else if (step.answer === null) webhooks.push(step)
    else await compare(step)
  }

  const [shown] = webhooks
  const [got] = receiver.requests
  if (shown === undefined || got === undefined) throw new Error('the page shows a webhook, and one arrives')
  expect([got.body, receiver.requests.length]).toEqual([shown.body, 1])
  for (const [name, value] of Object.entries(shown.headers)) {
    if (name !== 'Authorization') expect.soft(got.headers[name.toLowerCase()], name).toBe(value)
  }
  const { authorization } = got.headers
  expect(verifyWebhook({ rawBody: got.body, authorization, key: scene.webhookKey })).toBe(true)
})

test('the signature that the page works out is right', () => {
  const signature = signWebhook('payload=%7B%22id%22%3A1%7D', 'a-webhook-key')
  expect(blocksOf('api.md').map(block => block.text.trim())).toContain(signature)
})

test('the page has each code of an error', () => {
  const codes: Record<ErrorCode, string> = {
    unauthorised: '401',
    https_required: '403',
    suspended: '403',
    not_found: '404',
    method_not_allowed: '405',
    invalid_parameter: '400',
    conflict: '409',
    not_ready: '500',
    rate_limited: '429',
    unavailable: '503',
    internal: '500',
  }
  for (const [code, status] of Object.entries(codes)) expect(page).toContain(`\n| ${status} | \`${code}\` |`)
})

async function listen() {
  const requests: { headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer(async (request, response) => {
    requests.push({ headers: request.headers, body: await text(request) })
    response.writeHead(204).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>(resolve => server.close(() => resolve())))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/payments`, requests }
}
