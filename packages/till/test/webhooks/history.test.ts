import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { receiver } from './receiver.ts'
import { tillScene } from './till-scene.ts'

describe('each delivery is listed with its attempts', () => {
  test('when, status, how long, error and what the answer says, oldest first', async () => {
    const answers = [503, 500, 200]
    const { url } = await receiver((response, _, count) =>
      response.writeHead(answers[count - 1] ?? 200).end(`answer ${count}`),
    )
    const { till, paid, pass, at, delivery } = await tillScene(url, { webhooks: { retryDelays: [60, 60] } })
    await paid()
    expect((await delivery())?.history).toEqual([])
    for (let attempt = 0; attempt < 3; attempt++) {
      await till.webhooks.deliverDue()
      pass(100)
    }
    const { history = [], attempts } = (await delivery()) ?? {}
    expect(attempts).toBe(3)
    expect(history).toEqual([
      { at: at(0), status: 503, milliseconds: expect.any(Number), error: 'answered 503', answer: 'answer 1' },
      {
        at: at(100),
        status: 500,
        milliseconds: expect.any(Number),
        error: 'answered 500',
        answer: 'answer 2',
      },
      { at: at(200), status: 200, milliseconds: expect.any(Number), error: null, answer: 'answer 3' },
    ])
    for (const { milliseconds } of history) expect(Number.isInteger(milliseconds)).toBe(true)
  })

  test('those from before it was sent again too, the last twenty', async () => {
    const { url } = await receiver((response, _, count) => response.writeHead(410).end(`${count}`))
    const { till, paid, delivery } = await tillScene(url)
    await paid()
    for (let attempt = 0; attempt < 23; attempt++) {
      await till.webhooks.deliverDue()
      await till.webhooks.redeliver({ merchantId: 'shop', paymentId: 1 })
    }
    const answers = (await delivery())?.history.map(({ answer }) => Number(answer))
    expect(answers).toEqual(Array.from({ length: 20 }, (_, n) => n + 4))
  })

  test('each with its own, over a page of them', async () => {
    const { url } = await receiver((response, { headers }) => response.end(`${headers['webhook-id']}`))
    const { till, paid } = await tillScene(url)
    for (let payment = 0; payment < 5; payment++) await paid()
    await till.webhooks.deliverDue()
    await paid()
    const { items } = await till.webhooks.list('shop', { perPage: 4 })
    expect(items.map(({ paymentId, history }) => [paymentId, history.map(({ answer }) => answer)])).toEqual([
      [6, []],
      [5, ['shop:5']],
      [4, ['shop:4']],
      [3, ['shop:3']],
    ])
  })
})

describe('of an answer is kept', () => {
  async function kept(body: string | Buffer, headers: Record<string, string> = {}) {
    const { url } = await receiver(response => response.writeHead(200, headers).end(body))
    const { till, paid, delivery } = await tillScene(url)
    await paid()
    await till.webhooks.deliverDue()
    return (await delivery())?.history[0]?.answer
  }

  test('its first KiB', async () => {
    expect(await kept(`${'x'.repeat(1023)}yz`)).toBe(`${'x'.repeat(1023)}y`)
  })

  test('whole characters', async () => {
    expect(await kept(`${'x'.repeat(1022)}💶`)).toBe('x'.repeat(1022))
  })

  test('text that any database holds, whatever the bytes', async () => {
    expect(await kept(Buffer.from([0x61, 0, 0x62, 0xff, 0xed, 0xa0, 0x80, 0x63]))).toBe(
      'a\ufffdb\ufffd\ufffd\ufffd\ufffdc',
    )
  })

  test('nothing of none, and nothing of a compressed one', async () => {
    expect(await kept('')).toBe(null)
    expect(await kept(gzipSync('secret'), { 'content-encoding': 'gzip' })).toBe(null)
    expect(await kept('plain', { 'content-encoding': 'identity' })).toBe('plain')
  })
})
