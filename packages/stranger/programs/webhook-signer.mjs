// What @tillkit/webhook-signer is for, on whatever a merchant runs: the signatures are those of node:crypto, and what was changed
// is refused.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import {
  formatWebhook,
  parseWebhook,
  signStandardWebhook,
  signWebhook,
  standardWebhooksSecret,
  verifyStandardWebhook,
  verifyWebhook,
} from '@tillkit/webhook-signer'

const key = 'whk_ключ'
for (const length of [0, 1, 63, 64, 65, 1000, 100_000]) {
  const payment = { id: 1, merchantReference: 'é'.repeat(length) }
  const rawBody = formatWebhook(JSON.stringify(payment))
  const authorization = signWebhook(rawBody, key)
  assert.equal(authorization, `Service signature=${createHmac('sha256', key).update(rawBody).digest('hex')}`)
  assert.equal(verifyWebhook({ rawBody, authorization, key }), true)
  assert.equal(verifyWebhook({ rawBody: Buffer.from(rawBody), authorization, key }), true)
  assert.equal(verifyWebhook({ rawBody: `${rawBody}+`, authorization, key }), false)
  assert.equal(verifyWebhook({ rawBody, authorization, key: `${key}x` }), false)
  assert.deepEqual({ ...parseWebhook(rawBody) }, payment)

  const timestamp = Math.floor(Date.now() / 1000)
  const signature = signStandardWebhook({ id: 'msg_1', timestamp, rawBody, key })
  const secret = Buffer.from(standardWebhooksSecret(key).slice('whsec_'.length), 'base64')
  const signed = createHmac('sha256', secret).update(`msg_1.${timestamp}.${rawBody}`).digest('base64')
  assert.equal(signature, `v1,${signed}`)
  const received = { rawBody, id: 'msg_1', timestamp: String(timestamp), signature, key }
  assert.equal(verifyStandardWebhook(received), true)
  assert.equal(verifyStandardWebhook({ ...received, id: 'msg_2' }), false)
}
assert.throws(() => verifyWebhook({ rawBody: {}, authorization: '', key }), TypeError)
assert.throws(() => parseWebhook('payload=1'), SyntaxError)
