import { readFileSync } from 'node:fs'
import * as signer from '@tillkit/webhook-signer'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const blocks = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, block = '']) => block)
const key = 'whk_mine'
const rawBody = signer.formatWebhook('{"id":7,"status":"completed"}')
const response = { sendStatus: (status: number) => status }

/** The one block of the README that has this in it. */
function blockWith(words: string): string {
  const [block = '', ...others] = blocks.filter(one => one.includes(words))
  expect(others).toEqual([])
  return block
}

/** Runs lines that stand by themselves, as the body of a handler that has these things. */
function run(lines: string, given: object): Promise<unknown> {
  const names = Object.entries({ ...signer, response, ...given })
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<unknown>
  return new AsyncFunction(...names.map(([name]) => name), `{\n${lines}}`)(...names.map(([, value]) => value))
}

test('the receiver for fetch takes a payment that is signed, and no other', async () => {
  const taken: unknown[] = []
  const takePayment = async (payment: unknown) => taken.push(payment)
  const lines = blockWith('async fetch(request, env)').replace('export default', 'return')
  const receiver = (await run(lines, { takePayment })) as {
    fetch(request: Request, env: object): Promise<Response>
  }
  const post = async (signedWith: string) => {
    const headers = { authorization: signer.signWebhook(rawBody, signedWith) }
    const request = new Request('https://shop.example.com/', { method: 'POST', body: rawBody, headers })
    return (await receiver.fetch(request, { WEBHOOK_AUTH_KEY: key })).status
  }
  expect([await post(key), await post('whk_other')]).toEqual([204, 401])
  expect(taken).toEqual([{ id: 7, status: 'completed' }])
})

test('the payment is fetched by its id, with the API key', async () => {
  const asked: unknown[] = []
  await run(blockWith('const { id } = parseWebhook'), {
    ...{ rawBody, apiKey: 'tk_mine' },
    fetch: async (...given: unknown[]) => asked.push(...given),
  })
  expect(asked).toEqual([
    'https://pay.example.com/v1/payments/7',
    { headers: { authorization: `Basic ${btoa('tk_mine:')}` } },
  ])
})

test('the signature of Standard Webhooks is looked at, here and by its library', async () => {
  const [id, timestamp] = ['shop:7', Math.floor(Date.now() / 1000)]
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signer.signStandardWebhook({ id, timestamp, rawBody, key }),
  }
  const looked = (asKey: string) =>
    run(blockWith('verifyStandardWebhook({'), { rawBody, key: asKey, request: { headers } })
  expect([await looked(key), await looked('whk_other')]).toEqual([undefined, 401])
  const lines = blockWith("from 'standardwebhooks'").replace(/^import .*$/m, '')
  const payment = await run(`${lines}return payment`, { Webhook, rawBody, key, request: { headers } })
  expect(payment).toEqual({ id: 7, status: 'completed' })
})

test('while keys change either is the right one', async () => {
  const headers = {
    authorization: signer.signWebhook(rawBody, 'whk_new'),
    'webhook-signature-previous': signer.signWebhook(rawBody, 'whk_old'),
  }
  const looked = (asKey: string) =>
    run(blockWith("'webhook-signature-previous': previous"), { rawBody, key: asKey, request: { headers } })
  expect([await looked('whk_new'), await looked('whk_old'), await looked(key)]).toEqual([
    undefined,
    undefined,
    401,
  ])
})

test('a provider’s other words are read as ours', async () => {
  const vocabulary = { scanCode: 'snapCode', Service: 'SnapScan' }
  const worded = signer.formatWebhook('{"id":7,"snapCode":"counter"}', { vocabulary })
  const looked = (asKey: string) => {
    const authorization = signer.signWebhook(worded, asKey, { vocabulary })
    const lines = `${blockWith("Service: 'SnapScan'")}return scanCode`
    return run(lines, { rawBody: worded, authorization, key })
  }
  expect([await looked(key), await looked('whk_other')]).toEqual(['counter', 401])
})
