import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNode } from '@tillkit/node'
import { memoryStorage } from '@tillkit/storage/memory'
import { expect, onTestFinished, test } from 'vitest'
import { openDesk } from './desk.ts'

test('what passes the filter comes as CSV, over a socket, in pieces', async () => {
  const { till, handler, browse } = await openDesk({ https: 'off' })
  for (let n = 0; n < 250; n++) {
    const payment = await till.payments.start({
      scanCode: 'table-1',
      totalAmount: n,
      merchantReference: `=cmd|${n}`,
    })
    if (n % 2) await till.payments.complete(payment)
  }
  browse()
  const server = createServer(toNode({ '/console': handler })).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/console/m-cafe/payments.csv`
  const answer = await fetch(`${url}?status=completed`, { headers: { 'x-operator': 'Ada' } })
  expect([
    answer.status,
    answer.headers.get('content-type'),
    answer.headers.get('transfer-encoding'),
  ]).toEqual([...[200, 'text/csv; charset=utf-8', 'chunked']])
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="payments-cafe.csv"')
  const lines = (await answer.text()).trim().split('\r\n')
  expect(lines).toHaveLength(126)
  expect(lines[1]).toMatch(/^"?cafe"?,2,"?completed"?,/)
  expect(lines[1]).toContain(`"'=cmd|1"`)
  const head = await fetch(url, { method: 'HEAD', headers: { 'x-operator': 'Ada' } })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect((await fetch(url)).status).toBe(403)
  const nul = await fetch(`${url}?merchantReference=a%00b`, { headers: { 'x-operator': 'Ada' } })
  expect([nul.status, await nul.text()]).toEqual([400, expect.stringContaining('NUL')])
  expect((await fetch(`${url}?from=never`, { headers: { 'x-operator': 'Ada' } })).status).toBe(404)
})

test('a fault in the middle of it is logged, and the answer is no whole one', async () => {
  const storage = memoryStorage()
  const { till, browse, logged } = await openDesk({}, { storage })
  await till.payments.start({ scanCode: 'table-1', totalAmount: 1 })
  const { response } = await browse().open('/m-cafe/payments.csv')
  storage.payments.idRange = async () => {
    throw new Error('the disk is gone')
  }
  const read = async () => {
    for await (const _ of response.body as AsyncIterable<string>);
  }
  await expect(read()).rejects.toThrow(/the disk is gone/)
  expect(logged.map(({ message }) => message)).toEqual(['a CSV file of payments ended in the middle'])
})
