import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { formatWebhook, signWebhook } from '@tillkit/webhook-signer'
import { expect, onTestFinished, test, vi } from 'vitest'
import { buildReceiver } from '../src/build.ts'
import type { FetchedPayment } from '../src/fetch-payment.ts'
import { openSandbox } from '../src/sandbox.ts'

/** A provider and a merchant who knows it. */
async function scene() {
  const onPaid = vi.fn<(payment: FetchedPayment) => void>()
  const answers: number[] = []
  const server = createServer((request, response) => {
    response.on('finish', () => answers.push(response.statusCode))
    receiver.emit('request', request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/payments`
  const sandbox = await openSandbox(url)
  const receiver = buildReceiver({ ...sandbox, onPaid })
  onTestFinished(async () => {
    await sandbox.close()
    server.closeAllConnections()
    server.close()
  })
  const post = (body: string | ReadableStream, authorization: string) =>
    fetch(url, { method: 'POST', body, headers: { authorization }, duplex: 'half' } as RequestInit)
  return { ...sandbox, onPaid, post, answers }
}

test('a completed payment is verified, fetched and shipped, once however often it is told', async () => {
  const { till, scanCode, onPaid } = await scene()
  const started = await till.payments.start({ scanCode, totalAmount: 450, merchantReference: 'order-7' })
  const { merchantId, id } = await till.payments.complete(started)
  expect(await till.webhooks.deliverDue()).toEqual({ delivered: 1, failed: 0 })
  await till.webhooks.redeliver({ merchantId, paymentId: id })
  expect(await till.webhooks.deliverDue()).toEqual({ delivered: 1, failed: 0 })
  expect(onPaid).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ id, status: 'completed', totalAmount: 450, merchantReference: 'order-7' }),
  )
})

test('a failed payment is heard of, and nothing is shipped', async () => {
  const { till, scanCode, onPaid } = await scene()
  await till.payments.fail(await till.payments.start({ scanCode, totalAmount: 450 }))
  expect(await till.webhooks.deliverDue()).toEqual({ delivered: 1, failed: 0 })
  expect(onPaid).not.toHaveBeenCalled()
})

test('what was signed with another key, or tells what the API does not, ships nothing', async () => {
  const { till, scanCode, webhookKey, onPaid, post } = await scene()
  const { id } = await till.payments.start({ scanCode, totalAmount: 450 })
  const lie = formatWebhook(JSON.stringify({ id, status: 'completed', totalAmount: 450 }))
  expect((await post(lie, signWebhook(lie, 'another key'))).status).toBe(401)
  expect((await post(lie, signWebhook(lie, webhookKey))).status).toBe(204)
  expect(onPaid).not.toHaveBeenCalled()
})

test('while two keys sign, a shop that has the one before takes the first request', async () => {
  const { till, scanCode, onPaid, answers } = await scene()
  const started = await till.payments.start({ scanCode, totalAmount: 450 })
  await till.merchants.issueWebhookKey(started.merchantId, { overlapSeconds: 60 })
  await till.payments.complete(started)
  expect(await till.webhooks.deliverDue()).toEqual({ delivered: 1, failed: 0 })
  expect(answers).toEqual([204])
  expect(onPaid).toHaveBeenCalledOnce()
})

test('a shop that cannot ship is told again', async () => {
  const { till, scanCode, onPaid } = await scene()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  onPaid.mockImplementationOnce(() => {
    throw new Error('the stock room is closed')
  })
  const { merchantId, id } = await till.payments.complete(
    await till.payments.start({ scanCode, totalAmount: 450 }),
  )
  expect(await till.webhooks.deliverDue()).toEqual({ delivered: 0, failed: 1 })
  await till.webhooks.redeliver({ merchantId, paymentId: id })
  expect(await till.webhooks.deliverDue()).toEqual({ delivered: 1, failed: 0 })
  expect(onPaid).toHaveBeenCalledTimes(2)
})

test('a stranger’s body is not read to its end where that is too far', async () => {
  const { post, onPaid } = await scene()
  expect((await post('x'.repeat(262_144), 'whatever')).status).toBe(401)
  expect((await post('x'.repeat(262_145), 'whatever')).status).toBe(413)
  let sent = 0
  const endless = new ReadableStream({
    pull(controller) {
      sent += 65_536
      controller.enqueue(new Uint8Array(65_536))
    },
  })
  const answer = await post(endless, 'whatever').catch(error => error)
  expect(answer instanceof Error || answer.status === 413).toBe(true)
  expect(sent).toBeLessThan(100_000_000)
  expect(onPaid).not.toHaveBeenCalled()
})
