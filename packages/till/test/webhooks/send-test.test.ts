import { verifyWebhook } from '@tillkit/webhook-signer'
import { describe, expect, test } from 'vitest'
import { refusal } from '../till-of.ts'
import { receiver } from './receiver.ts'
import { tillScene } from './till-scene.ts'

describe('sendTest', () => {
  test('posts a signed payment that is none, and returns what came of it', async () => {
    const hook = await receiver(response => response.writeHead(202).end('thanks'))
    const { till, at } = await tillScene(hook.url)
    const key = await till.merchants.issueWebhookKey('shop')
    expect(await till.webhooks.sendTest('shop')).toEqual({
      at: at(0),
      status: 202,
      milliseconds: expect.any(Number),
      error: null,
      answer: 'thanks',
    })
    const [got] = hook.received
    const { authorization } = got?.headers ?? {}
    expect(verifyWebhook({ rawBody: got?.body ?? '', authorization, key })).toBe(true)
    const payment = JSON.parse(new URLSearchParams(got?.body).get('payload') ?? '')
    expect(Object.keys(payment)).toHaveLength(15)
    expect(payment).toMatchObject({ id: 0, totalAmount: 0, extra: { test: 'true' } })
  })

  test('each has a webhook-id of its own, which no delivery has', async () => {
    const hook = await receiver()
    const { till } = await tillScene(hook.url)
    await till.webhooks.sendTest('shop')
    await till.webhooks.sendTest('shop')
    const [one, two] = hook.received.map(({ headers }) => headers['webhook-id'])
    expect(one).not.toBe(two)
    for (const id of [one, two]) expect(id).toMatch(/^shop:0:[A-Za-z0-9]{12}$/)
  })

  test('keeps nothing, and a failure is the result', async () => {
    const { till, paid } = await tillScene('http://127.0.0.1:1/')
    expect(await till.webhooks.sendTest('shop')).toMatchObject({
      status: null,
      error: 'connection refused',
      answer: null,
    })
    expect((await till.webhooks.list('shop')).total).toBe(0)
    expect((await paid()).id).toBe(1)
  })

  test('is refused without a URL and for an unknown merchant', async () => {
    const { till } = await tillScene(null)
    expect(await refusal(till.webhooks.sendTest('shop'))).toBe('conflict: merchant shop has no webhookUrl')
    expect(await refusal(till.webhooks.sendTest('nobody'))).toBe('not_found: merchant nobody is unknown')
    expect(await refusal(till.webhooks.sendTest(7 as never))).toMatch(/^invalid_input: merchantId must be/)
  })

  test('goes where webhooks may go and nowhere else', async () => {
    const canary = await receiver()
    const { till } = await tillScene(canary.url, { webhooks: { allowPrivateAddresses: false } })
    expect(await till.webhooks.sendTest('shop')).toMatchObject({ error: 'address 127.0.0.1 is not public' })
    expect(canary.connections()).toBe(0)
  })
})
