import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDesk, soon } from './desk.ts'

/** A desk whose café has a receiver that answers as it is told. */
async function withReceiver() {
  const receiver = { status: 500, got: 0 }
  const server = createServer((request, response) => {
    receiver.got += 1
    request.resume()
    response.writeHead(receiver.status).end('what the receiver says')
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const desk = await openDesk(
    {},
    { webhooks: { allowHttp: true, allowPrivateAddresses: true, retryDelays: [] } },
  )
  const { port } = server.address() as AddressInfo
  await desk.till.merchants.update('cafe', { webhookUrl: `http://127.0.0.1:${port}/hook` })
  const pay = async () =>
    desk.till.payments.complete(await desk.till.payments.start({ scanCode: 'table-1', totalAmount: 100 }))
  return { ...desk, receiver, pay }
}

test('one payment shows each attempt, and sends its webhook again', async () => {
  const { browse, till, receiver, pay } = await withReceiver()
  await pay()
  await till.webhooks.deliverDue()
  const browser = browse()
  const { page } = await browser.open('/m-cafe/payments/1')
  expect(page).toMatch(/an attempt failed.*500.*what the receiver says.*given up/s)
  expect((await browser.submit('/m-cafe/payments/1', 'redeliver')).page).toMatch(
    /is sent again now.*next attempt/s,
  )
  receiver.status = 200
  await till.webhooks.deliverDue()
  expect((await browser.open('/m-cafe/payments/1')).page).toMatch(/an attempt failed.*Webhook: taken/s)
})

test('those that are ticked are sent again, and no other', async () => {
  const { browse, till, pay } = await withReceiver()
  for (let n = 0; n < 4; n++) await pay()
  await till.webhooks.deliverDue()
  const browser = browse()
  const none = await browser.submit('/m-cafe/webhooks?state=exhausted', 'redeliverSome')
  expect([none.status, none.page.includes('None is ticked.')]).toEqual([400, true])
  const seen = await browser.open('/m-cafe/webhooks?state=exhausted')
  const form = browser.formOf(seen, 'redeliverSome')
  form.append('payment', '2')
  form.append('payment', '4')
  expect((await browser.press(seen, form)).page).toContain('They are sent again now.')
  const { items } = await till.webhooks.list('cafe', { state: 'pending' })
  expect(items.map(({ paymentId }) => paymentId)).toEqual([4, 2])
})

test('all since a time are sent again, and the page says how far that is', async () => {
  const { browse, till, pay } = await withReceiver()
  for (let n = 0; n < 3; n++) await pay()
  await till.webhooks.deliverDue()
  const browser = browse()
  const since = new Date(Date.now() - 3_600_000).toISOString().slice(0, 16)
  const wrong = await browser.submit('/m-cafe/webhooks', 'redeliverSince', { since: 'yesterday' })
  expect([wrong.status, wrong.page.includes('Since must be a date')]).toEqual([400, true])
  const begun = await browser.submit('/m-cafe/webhooks', 'redeliverSince', { since, state: 'exhausted' })
  await vi.waitFor(async () => {
    expect((await browser.open(begun.target)).page).toContain('3 were made due')
  }, soon)
  expect((await till.webhooks.list('cafe', { state: 'pending' })).total).toBe(3)
  // Another merchant's page knows nothing of it.
  const { page } = await browser.open(begun.target.replace('cafe', 'books'))
  expect(page).not.toContain('were made due')
})

test('over all merchants it is counted what is due, and endpoints that fail are named', async () => {
  const { browse, till, pay } = await withReceiver()
  await pay()
  await till.webhooks.deliverDue()
  await pay()
  const { page } = await browse().open('/webhooks')
  expect(page).toMatch(/Due now<\/span><strong>1<.*Given up<\/span><strong>1</s)
  expect(page).toMatch(/m-cafe\/webhooks">cafe<.*failing/s)
})
