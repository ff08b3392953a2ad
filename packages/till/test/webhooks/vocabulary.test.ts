import { createHmac } from 'node:crypto'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { parseWebhook, verifyWebhook } from '@tillkit/webhook-signer'
import { expect, test } from 'vitest'
import { receiver } from './receiver.ts'
import { tillScene } from './till-scene.ts'

const vocabulary = {
  id: 'number',
  scanCode: 'snapCode',
  payload: 'event',
  Service: 'SnapScan',
  perPage: 'size',
}

test('webhooks, tests and redeliveries speak in the words of a vocabulary, and nothing else changes', async () => {
  const hook = await receiver()
  const plain = await tillScene(hook.url)
  const other = await tillScene(hook.url, { webhooks: { vocabulary } })
  const keys = []
  for (const { till, paid } of [plain, other]) {
    keys.push(await till.merchants.issueWebhookKey('shop'))
    await paid()
    await till.webhooks.deliverDue()
    await till.webhooks.sendTest('shop')
  }
  const [told, toldTest, said, saidTest] = hook.received
  for (const [ours, theirs] of [
    [told, said],
    [toldTest, saidTest],
  ]) {
    const rawBody = theirs?.body ?? ''
    const payment = parseWebhook(ours?.body ?? '')
    const json = JSON.stringify(payment).replace('"id":', '"number":').replace('"scanCode":', '"snapCode":')
    expect(new URLSearchParams(String(rawBody)).get('event')).toBe(json)
    expect(parseWebhook(rawBody, { vocabulary })).toEqual(payment)
    const hash = createHmac('sha256', keys[1] ?? '')
      .update(rawBody)
      .digest('hex')
    const authorization = theirs?.headers.authorization
    expect(authorization).toBe(`SnapScan signature=${hash}`)
    expect(verifyWebhook({ rawBody, authorization, key: keys[1] ?? '', vocabulary })).toBe(true)
  }
})

test('while two keys sign, both do under the scheme', async () => {
  const hook = await receiver()
  const { till, paid } = await tillScene(hook.url, { webhooks: { vocabulary } })
  const before = await till.merchants.issueWebhookKey('shop')
  const key = await till.merchants.issueWebhookKey('shop', { overlapSeconds: 3600 })
  await paid()
  await till.webhooks.deliverDue()
  const [delivery] = hook.received
  const { authorization, 'webhook-signature-previous': previous } = delivery?.headers ?? {}
  const rawBody = delivery?.body ?? ''
  expect(previous).toMatch(/^SnapScan signature=/)
  expect(verifyWebhook({ rawBody, authorization, key, vocabulary })).toBe(true)
  expect(verifyWebhook({ rawBody, authorization: undefined, previous, key: before, vocabulary })).toBe(true)
})

test.each([
  [{ scanCode: 'id' }, 'webhooks.vocabulary.scanCode must not be id, the word for id beside it'],
  [{ Service: 'Snap Scan' }, 'webhooks.vocabulary.Service must be a scheme'],
  [{ snapCode: 'x' }, 'webhooks.vocabulary.snapCode is not a name of the vocabulary, which are id, '],
])('%j is refused at once', (wrong, message) => {
  expect(() => createTill({ storage: memoryStorage(), webhooks: { vocabulary: wrong as never } })).toThrow(
    message,
  )
})
