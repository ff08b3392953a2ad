import { tracingChannel } from 'node:diagnostics_channel'
import type { RequestMessage } from '@tillkit/http'
import { expect, onTestFinished, test } from 'vitest'
import { openDesk } from './desk.ts'

test('requests are told of by the page that they are for, and the merchant whose it is', async () => {
  const { browse, till } = await openDesk()
  await till.payments.start({ scanCode: 'table-1', totalAmount: 1250 })
  const channel = tracingChannel<unknown, RequestMessage>('tillkit:http.request')
  const heard: RequestMessage[] = []
  const listener = (message: unknown) => heard.push(message as RequestMessage)
  channel.asyncEnd.subscribe(listener)
  onTestFinished(() => void channel.asyncEnd.unsubscribe(listener))

  const ada = browse()
  await ada.open('/today')
  await ada.open('/m-cafe/payments/1')
  await ada.submit('/m-cafe/codes', 'create', { code: 'table-2' })
  await ada.open('/m-nobody/codes')
  await ada.open('/nothing')
  expect(
    heard.map(({ handler, route, merchantId, request, result }) => [
      `${handler} ${request.method} ${route}`,
      merchantId,
      result?.status,
    ]),
  ).toEqual([
    ['console GET /today', undefined, 200],
    ['console GET /m-{merchantId}/payments/{id}', 'cafe', 200],
    ['console GET /m-{merchantId}/codes', 'cafe', 200],
    ['console POST /m-{merchantId}/codes', 'cafe', 303],
    ['console GET /m-{merchantId}/codes', 'cafe', 200],
    ['console GET undefined', undefined, 404],
    ['console GET undefined', undefined, 404],
  ])
  for (const { requestId, result } of heard) {
    expect([requestId]).toEqual([result?.headers['X-Request-Id']])
  }
})
