import { setTimeout as sleep } from 'node:timers/promises'
import type { Payment } from '@tillkit/domain'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createPoster, type PostResult } from '../../../src/webhooks/wire/post.ts'
import { createSend } from '../../../src/webhooks/wire/send.ts'
import { receiver } from '../receiver.ts'

const NOW = new Date('2026-11-20T09:30:00.000Z')

test('a request whose connection is there only when its time is over is not sent', async () => {
  const hook = await receiver()
  const found = Promise.withResolvers<void>()
  const poster = createPoster({
    options: { allowHttp: true, allowPrivateAddresses: true },
    ...{ timeoutSeconds: 60, connections: 1, now: async () => NOW },
    resolve: async () => {
      await found.promise
      return [{ address: '127.0.0.1', family: 4 }]
    },
  })
  onTestFinished(() => poster.close())
  const request = { body: Buffer.from('payload=%7B%7D'), headers: {} }
  const url = `http://shop.example:${hook.port}/`
  expect(await poster.post(url, request, 0.1)).toMatchObject({ status: null })
  found.resolve()
  await vi.waitUntil(() => hook.connections() > 0, { timeout: 60_000 })
  await sleep(50)
  expect(await poster.post(url, request)).toMatchObject({ status: 200 })
  expect(hook.received).toHaveLength(1)
})

test.each([
  [3.9, [6, 2.1]],
  [4, [6]],
])('a receiver that refuses after %d of 6 seconds has so many: %j', async (took, times) => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const asked: number[] = []
  const send = createSend({
    ...{ timeoutSeconds: 6, standardWebhooks: false, vocabulary: undefined },
    logger: { error() {} },
    keys: { open: (_, stored) => stored },
    poster: {
      async post(_url, _request, secondsLeft = 6): Promise<PostResult> {
        asked.push(Math.round(secondsLeft * 1000) / 1000)
        vi.advanceTimersByTime(took * 1000)
        return { status: 401, error: 'answered 401', retryAfter: null, answer: null }
      },
    },
  })
  const until = new Date(NOW.getTime() + 60_000).toISOString()
  await send(
    {
      ...{ merchantId: 'm1', id: 'm1:1', payment: {} as Payment, webhookUrl: 'https://shop.example/' },
      ...{ webhookKey: 'new', previousWebhookKey: { key: 'old', until } },
    },
    NOW,
  )
  expect(asked).toEqual(times)
})
