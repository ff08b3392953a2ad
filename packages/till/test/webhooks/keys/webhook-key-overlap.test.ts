import { verifyStandardWebhook, verifyWebhook } from '@tillkit/webhook-signer'
import { describe, expect, test, vi } from 'vitest'
import { refusal } from '../../till-of.ts'
import { type Received, receiver } from '../receiver.ts'
import { SECRETS } from '../scene.ts'
import { tillScene } from '../till-scene.ts'

/** What a receiver checks that knows nothing of a key before. */
const isSigned = ({ body: rawBody, headers: { authorization } }: Received, key: string) =>
  verifyWebhook({ rawBody, authorization, key })

/** What one checks that does. */
const isSignedEither = ({ body: rawBody, headers }: Received, key: string) =>
  verifyWebhook({
    rawBody,
    authorization: headers.authorization,
    previous: headers['webhook-signature-previous'],
    key,
  })

const standard = ({ body: rawBody, headers }: Received, key: string, now: Date) =>
  verifyStandardWebhook({
    rawBody,
    id: headers['webhook-id'],
    timestamp: headers['webhook-timestamp'],
    signature: headers['webhook-signature'],
    key,
    now,
  })

describe.each([
  ['sealed', { secrets: SECRETS }],
  ['as they are', {}],
])('while a new webhook key overlaps the one before, stored %s', (_, options) => {
  test('both sign: the new one first, and each is found by who has it, until the date', async () => {
    const hook = await receiver()
    const { till, paid, pass, at } = await tillScene(hook.url, {
      ...options,
      webhooks: { standardWebhooks: true },
    })
    const first = await till.merchants.issueWebhookKey('shop')
    const old = await till.merchants.issueWebhookKey('shop', { overlapSeconds: 60 })
    const key = await till.merchants.issueWebhookKey('shop', { overlapSeconds: 60 })
    await paid()
    await till.webhooks.deliverDue()
    pass(59.999)
    await till.webhooks.sendTest('shop')
    expect(hook.received).toHaveLength(2)
    for (const [n, request] of hook.received.entries()) {
      const now = new Date(at(n * 60))
      expect([isSigned(request, key), isSigned(request, old)]).toEqual([true, false])
      expect([key, old, first].map(one => isSignedEither(request, one))).toEqual([true, true, false])
      expect([key, old, first].map(one => standard(request, one, now))).toEqual([true, true, false])
    }

    pass(0.001)
    await paid()
    await till.webhooks.deliverDue()
    const [, , after] = hook.received
    if (!after) throw new Error('nothing came')
    expect(after.headers['webhook-signature-previous']).toBe(undefined)
    expect([key, old].map(one => isSignedEither(after, one))).toEqual([true, false])
    expect([key, old].map(one => standard(after, one, new Date(at(60))))).toEqual([true, false])
  })

  test('a receiver of before that has only the old key, and one that has only the new, get everything', async () => {
    const keys: string[] = []
    let known = 0
    const hook = await receiver((response, request) => {
      response.writeHead(isSigned(request, keys[known] ?? '') ? 204 : 401).end()
    })
    const { till, paid, delivery } = await tillScene(hook.url, options)
    keys.push(await till.merchants.issueWebhookKey('shop'))
    keys.push(await till.merchants.issueWebhookKey('shop', { overlapSeconds: 60 }))
    await paid()
    expect(await till.webhooks.deliverDue()).toEqual({ delivered: 1, failed: 0 })
    expect(await delivery()).toMatchObject({ state: 'delivered', attempts: 1, lastStatus: 204 })
    expect((await till.webhooks.sendTest('shop')).status).toBe(204)
    expect(hook.received).toHaveLength(4)
    expect(new Set(hook.received.slice(0, 2).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(hook.received[1]?.headers['webhook-signature-previous']).toBe(undefined)

    known = 1
    await paid()
    expect(await till.webhooks.deliverDue()).toEqual({ delivered: 1, failed: 0 })
    expect(hook.received).toHaveLength(5)
  })
})

test.each([
  [400, 2],
  [401, 2],
  [403, 2],
  [404, 2],
  [422, 2],
  [408, 1],
  [410, 1],
  [429, 1],
  [500, 1],
  [503, 1],
])('a receiver that answers %i is asked %i times in an attempt', async (status, times) => {
  const hook = await receiver(status)
  const { till, paid, delivery } = await tillScene(hook.url)
  await till.merchants.issueWebhookKey('shop')
  await till.merchants.issueWebhookKey('shop', { overlapSeconds: 60 })
  await paid()
  await till.webhooks.deliverDue()
  expect(hook.received).toHaveLength(times)
  expect(await delivery()).toMatchObject({ attempts: 1, lastStatus: status })
})

test('without an overlap the key before signs no more, and nobody is asked twice', async () => {
  const hook = await receiver(401)
  const { till, paid } = await tillScene(hook.url)
  await till.merchants.issueWebhookKey('shop', { overlapSeconds: 60 })
  const old = await till.merchants.issueWebhookKey('shop', { overlapSeconds: 60 })
  const key = await till.merchants.issueWebhookKey('shop')
  await paid()
  await till.webhooks.deliverDue()
  const [request, ...more] = hook.received
  if (!request) throw new Error('nothing came')
  expect(more).toEqual([])
  expect([key, old].map(one => isSignedEither(request, one))).toEqual([true, false])
})

test('a key before that does not open is left out and said, and what is sent is signed with the new one', async () => {
  const hook = await receiver()
  const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const { till, paid, storage } = await tillScene(hook.url, { secrets: SECRETS, logger })
  await storage.merchants.setWebhookKey('shop', 'sealed.k9.AAAA')
  const key = await till.merchants.issueWebhookKey('shop', { overlapSeconds: 60 })
  await paid()
  expect(await till.webhooks.deliverDue()).toEqual({ delivered: 1, failed: 0 })
  const [request] = hook.received
  if (!request) throw new Error('nothing came')
  expect(isSigned(request, key)).toBe(true)
  expect(request.headers['webhook-signature-previous']).toBe(undefined)
  expect(logger.error.mock.calls).toEqual([
    [
      { merchantId: 'shop', error: 'webhook key is sealed under secret k9, which is not among the secrets' },
      'previous webhook key left out',
    ],
  ])
})

test('what is wrong with an overlap is named', async () => {
  const { till } = await tillScene(null)
  for (const overlapSeconds of [-1, 31_536_001, Number.NaN, '60']) {
    const refused = till.merchants.issueWebhookKey('shop', { overlapSeconds } as never)
    expect(await refusal(refused)).toMatch(/^invalid_input: overlapSeconds must be /)
  }
  expect(await refusal(till.merchants.issueWebhookKey('shop', { overlap: 5 } as never))).toBe(
    'invalid_input: overlap is not a known name of the options of a webhook key',
  )
})
