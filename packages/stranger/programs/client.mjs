// What @tillkit/client is for, on whatever a merchant runs: it asks, asks again, walks, and receives a webhook.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { ApiError, createClient } from '@tillkit/client'
import { formatWebhook, nodeWebhooks, signWebhook } from '@tillkit/client/webhooks'

const payments = Array.from({ length: 250 }, (_, i) => ({
  id: 250 - i,
  status: 'completed',
  date: `2026-11-20T09:${String(59 - Math.floor(i / 5)).padStart(2, '0')}:00Z`,
}))
const keys = []
const taken = []
const webhooks = nodeWebhooks({ key: 'whk_ключ' }, payment => void taken.push(payment))

/** As little of the API as the calls below need. */
function answer(request, url) {
  const { pathname, searchParams } = url
  if (pathname === '/v1/cash_ups') {
    keys.push(request.headers['idempotency-key'])
    if (keys.length === 1) return null
    return [200, { date: '2026-11-20T18:00:00Z', reference: 'abcdef0123456789' }]
  }
  if (pathname !== '/v1/payments') return [404, { message: 'There is no such payment', code: 'not_found' }]
  const [end, offset, perPage] = ['endDate', 'offset', 'perPage'].map(name => searchParams.get(name))
  const matching = payments.filter(({ date }) => end === null || date < end)
  const headers = { 'x-total': matching.length, 'x-total-pages': 9, 'x-page': 1, 'x-per-page': perPage }
  const items = matching.slice(Number(offset), Number(offset) + Number(perPage))
  return [200, items, { ...headers, 'x-offset': Number(offset) }]
}

const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost')
  if (url.pathname === '/webhooks') return webhooks(request, response)
  assert.equal(request.headers.authorization, `Basic ${Buffer.from('tk_x:').toString('base64')}`)
  const [status, body, headers] = answer(request, url) ?? []
  if (status === undefined) return response.destroy()
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
})
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${server.address().port}`
const shop = createClient({ baseUrl: `${origin}/v1`, apiKey: 'tk_x' })

const ids = []
for await (const { id } of shop.payments.all()) ids.push(id)
assert.deepEqual(
  ids,
  payments.map(({ id }) => id),
)
assert.equal((await shop.cashUps.create()).reference, 'abcdef0123456789')
assert.equal(keys.length, 2)
assert.ok(keys[0].length >= 30 && keys[0] === keys[1])
await assert.rejects(shop.payments.get(7), error => error instanceof ApiError && error.code === 'not_found')
const stopped = shop.payments.get(7, { signal: AbortSignal.abort(new Error('stop')) })
await assert.rejects(stopped, /^Error: stop$/)

const body = formatWebhook('{"id":7,"merchantReference":"Zoë"}')
const headers = { 'content-type': 'application/x-www-form-urlencoded' }
const post = authorization =>
  fetch(`${origin}/webhooks`, { method: 'POST', body, headers: { ...headers, authorization } })
assert.equal((await post(signWebhook(body, 'whk_other'))).status, 401)
assert.equal((await post(signWebhook(body, 'whk_ключ'))).status, 204)
assert.deepEqual(taken, [{ id: 7, merchantReference: 'Zoë' }])
server.close()
server.closeAllConnections?.()
