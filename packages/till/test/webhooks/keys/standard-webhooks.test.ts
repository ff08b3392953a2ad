import { verifyStandardWebhook, verifyWebhook } from '@tillkit/webhook-signer'
import { expect, test } from 'vitest'
import { receiver } from '../receiver.ts'
import { tillScene } from '../till-scene.ts'

test('with standardWebhooks each delivery carries that signature too, under the same key', async () => {
  const hook = await receiver()
  const { till, paid, at } = await tillScene(hook.url, { webhooks: { standardWebhooks: true } })
  const key = await till.merchants.issueWebhookKey('shop')
  await paid()
  await till.webhooks.deliverDue()
  await till.webhooks.sendTest('shop')
  expect(hook.received).toHaveLength(2)
  for (const { body: rawBody, headers } of hook.received) {
    const { authorization, 'webhook-id': id, 'webhook-timestamp': timestamp } = headers
    const signature = headers['webhook-signature']
    expect(verifyWebhook({ rawBody, authorization, key })).toBe(true)
    const now = new Date(at(0))
    expect(verifyStandardWebhook({ rawBody, id, timestamp, signature, key, now })).toBe(true)
    expect(verifyStandardWebhook({ rawBody, id: 'shop:2', timestamp, signature, key, now })).toBe(false)
  }
})

test('without the option, or without a key, there is none', async () => {
  const hook = await receiver()
  for (const [webhooks, issue] of [
    [{}, true],
    [{ standardWebhooks: true }, false],
  ] as const) {
    const { till, paid } = await tillScene(hook.url, { webhooks })
    if (issue) await till.merchants.issueWebhookKey('shop')
    await paid()
    await till.webhooks.deliverDue()
    expect(hook.received.at(-1)?.headers['webhook-signature']).toBe(undefined)
  }
  expect(hook.received).toHaveLength(2)
})
