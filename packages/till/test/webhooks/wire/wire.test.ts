import { createHmac } from 'node:crypto'
import { paymentObject } from '@tillkit/domain'
import { describe, expect, test } from 'vitest'
import { receiver } from '../receiver.ts'
import { scene } from '../scene.ts'

const KEY = 'whk_of_this_merchant'

describe('what goes over the wire', () => {
  test('one field, payload, holds the payment object; nothing else is in the body', async () => {
    const { merchant, outcome, worker } = scene()
    const hook = await receiver()
    await merchant('m1', hook.url)
    const payment = await outcome('m1', {
      extra: { naïve: 'a b&c=d+é€😀', __proto__x: '"' },
      status: 'error',
    })
    expect(await worker().deliverDue()).toEqual({ delivered: 1, failed: 0 })

    const [got] = hook.received
    expect(got?.method).toBe('POST')
    expect(got?.url).toBe('/hook?a=1&b=%20')
    expect(got?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(got?.headers['user-agent']).toBe('Tillkit')
    expect(got?.headers['content-length']).toBe(String(got?.body.length))
    const form = new URLSearchParams(got?.body)
    expect([...form.keys()]).toEqual(['payload'])
    expect(form.get('payload')).toBe(JSON.stringify(paymentObject(payment)))
    expect(got?.body).toBe(
      `payload=${encodeURIComponent(form.get('payload') ?? '')
        .replace(/%20/g, '+')
        .replace(/[!'()~]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`,
    )
    expect(JSON.parse(form.get('payload') ?? '').status).toBe('error')
  })

  test('the signature is the HMAC-SHA256 of the raw body under the merchant’s key', async () => {
    const { merchant, outcome, worker } = scene()
    const hook = await receiver()
    await merchant('m1', hook.url, KEY)
    await outcome('m1', { extra: { name: 'é +&' } })
    await worker().deliverDue()

    const [got] = hook.received
    const hash = createHmac('sha256', KEY)
      .update(got?.body ?? '')
      .digest('hex')
    expect(got?.headers.authorization).toBe(`Service signature=${hash}`)
  })

  test('without a key there is no Authorization header', async () => {
    const { merchant, outcome, worker } = scene()
    const hook = await receiver()
    await merchant('m1', hook.url)
    await outcome('m1')
    await worker().deliverDue()
    expect(hook.received[0]?.rawHeaders.map(name => name.toLowerCase())).not.toContain('authorization')
  })

  test('webhook-id stays the same over the attempts of a delivery, webhook-timestamp is the attempt’s', async () => {
    const { merchant, outcome, worker, clock, pass } = scene()
    const hook = await receiver(500)
    await merchant('m.1', hook.url)
    await outcome('m.1')
    const it = worker()
    await it.deliverDue()
    const first = String(Math.floor(clock().getTime() / 1000))
    pass(5)
    await it.deliverDue()

    const [one, two] = hook.received.map(({ headers }) => headers)
    expect([one?.['webhook-id'], two?.['webhook-id']]).toEqual(['m~1:1', 'm~1:1'])
    expect([one?.['webhook-timestamp'], two?.['webhook-timestamp']]).toEqual([
      first,
      String(Number(first) + 5),
    ])
  })

  test('nothing is sent while a payment is pending', async () => {
    const { storage, merchant, outcome, worker, clock } = scene()
    const hook = await receiver()
    await merchant('m1', hook.url)
    const {
      id: _,
      date: __,
      status: ___,
      failure: ____,
      statementReference: _____,
      ...payment
    } = await outcome('m1')
    await storage.payments.start({ ...payment, attemptKey: null }, clock().toISOString())
    expect(await worker().deliverDue()).toEqual({ delivered: 1, failed: 0 })
    expect(hook.received).toHaveLength(1)
  })

  test('the log holds neither key, signature nor the query of a URL', async () => {
    const { merchant, outcome, worker, lines } = scene()
    const hook = await receiver((response, _, count) => response.writeHead(count === 1 ? 500 : 200).end())
    await merchant('m1', hook.url.replace('?a=1', '?token=hushhush'), KEY)
    await outcome('m1')
    await outcome('m1')
    await worker({ concurrency: 1 }).deliverDue()

    expect(lines.map(({ level, message }) => [level, message])).toEqual([
      ['warn', 'webhook failed'],
      ['debug', 'webhook delivered'],
    ])
    expect(lines[0]?.fields).toMatchObject({
      merchantId: 'm1',
      paymentId: 1,
      attempt: 1,
      status: 500,
      error: 'answered 500',
    })
    expect(JSON.stringify(lines)).not.toMatch(/hushhush|whk_|signature|Service/)
  })
})
