import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill, type Till } from '@tillkit/till'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scratch, tillkit } from './tillkit.ts'

let folder: string
let remove: () => Promise<void>
let env: Record<string, string>
let till: Till
let close: () => Promise<void>
let status = 500

const receiver = createServer((request, response) => {
  request.resume()
  response.statusCode = status
  response.end('what the receiver says')
})

const ran = (...words: string[]) => tillkit(words, { env })
const data = async (...words: string[]) => JSON.parse((await ran(...words, '--json')).stdout)

beforeAll(async () => {
  ;({ folder, remove } = await scratch())
  const file = join(folder, 'till.db')
  env = { TILLKIT_DATABASE: file, TILLKIT_WEBHOOK_HTTP: 'true', TILLKIT_WEBHOOK_NETWORKS: '127.0.0.0/8' }
  await ran('migrate')
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  const storage = sqliteStorage({ file })
  const webhooks = { allowHttp: true, allowPrivateAddresses: true, retryDelays: [] }
  till = createTill({ storage, webhooks, logger: false })
  close = async () => {
    await till.close()
    await storage.close()
  }
  const { port } = receiver.address() as AddressInfo
  await till.merchants.create({ id: 'coffee', name: 'Coffee', webhookUrl: `http://127.0.0.1:${port}/` })
  await till.scanCodes.create('coffee', { code: 'counter' })
  for (const totalAmount of [100, 200, 300]) {
    await till.payments.complete(await till.payments.start({ scanCode: 'counter', totalAmount }))
  }
})

afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await close()
  await remove()
})

/**
 * Delivers so many, and no others: the command goes by the database's time as this till does, but each only knows it as well as
 * asking for it is quick.
 */
async function delivers(count: number): Promise<void> {
  let delivered = 0
  while (delivered < count) {
    const come = await till.webhooks.deliverDue()
    expect(come.failed).toBe(0)
    delivered += come.delivered
  }
  expect(delivered).toBe(count)
}

test('webhooks are listed, shown by their attempts, sent again and purged', async () => {
  await till.webhooks.deliverDue()
  expect((await ran('webhooks', 'list', 'coffee')).stdout).toMatch(/^payment +state .*\n3 +exhausted +1 /)
  const exhausted = await data('webhooks', 'list', 'coffee', '--state', 'exhausted', '--per-page', '2')
  expect([exhausted.total, exhausted.items.length]).toEqual([3, 2])
  expect((await ran('webhooks', 'attempts', 'coffee', '3')).stdout).toMatch(/ 500 .*what the receiver says/)
  expect(await data('webhooks', 'attempts', 'coffee', '2')).toMatchObject([{ status: 500, paymentId: 2 }])
  expect(await ran('webhooks', 'attempts', 'coffee', '9')).toMatchObject({
    status: 1,
    stderr: 'tillkit: merchant coffee has no payment 9\n',
  })

  status = 204
  expect(await data('webhooks', 'redeliver', 'coffee', '1', '3')).toEqual({ redelivered: 2 })
  await delivers(2)
  const since = ['--since', '2026-01-01T00:00:00Z']
  const again = await ran('webhooks', 'redeliver', 'coffee', ...since, '--state', 'exhausted')
  expect([again.status, again.stdout]).toEqual([0, '1 will be sent again\n'])
  await delivers(1)
  const shown = await tillkit(['webhooks', 'redeliver', 'coffee', ...since], { env, terminal: true })
  expect(shown.stderr).toContain('3 to be sent again')
  await delivers(3)

  expect((await ran('webhooks', 'purge', '--older-than-days', '1')).stdout).toBe('0 removed\n')
  expect(await data('webhooks', 'purge', '--older-than', '9999-01-01T00:00:00Z')).toEqual({ purged: 3 })
})

test('a receiver is tried, and the exit status says whether it took it', async () => {
  status = 204
  expect(await ran('webhooks', 'test', 'coffee')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^taken +yes\nstatus +204/),
  })
  status = 401
  const refused = await ran('webhooks', 'test', 'coffee', '--json')
  expect([refused.status, JSON.parse(refused.stdout)]).toMatchObject([1, { status: 401 }])
})

test('those that are paused', async () => {
  expect(await data('webhooks', 'paused')).toEqual([])
  expect((await ran('webhooks', 'paused')).stderr).toBe('there are none\n')
})

test.each([
  [['redeliver', 'coffee'], 'either ids of payments or --since must be given'],
  [
    ['redeliver', 'coffee', '1', '--since', '2026-01-01T00:00:00Z'],
    'either ids of payments or --since must be given',
  ],
  [['redeliver', 'coffee', '1', '--state', 'pending'], '--state goes with --since'],
  [['redeliver', 'coffee', 'one'], '<payments> must be a whole number, not one'],
  [['purge'], 'one of --older-than and --older-than-days must be given'],
  [['list', 'coffee', '--state', 'lost'], /--state must be one of pending, delivered, exhausted/],
  [['purge', '--older-than', 'yesterday'], /--older-than /],
])('%j is refused', async (words, message) => {
  const { status, stderr } = await ran('webhooks', ...words)
  expect([status, stderr]).toEqual([2, expect.stringMatching(message)])
})
