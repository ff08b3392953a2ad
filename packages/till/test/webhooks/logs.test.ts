import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, type Logger } from '@tillkit/till'
import { expect, onTestFinished, test } from 'vitest'
import { receiver } from './receiver.ts'
import { SECRETS } from './scene.ts'

const DAY = 86_400_000

test('whatever happens, no log line and no error holds a key, a signature or a header', async () => {
  const lines: string[] = []
  const write = (fields: object, message: string) => lines.push(JSON.stringify([fields, message]))
  const logger: Logger = { debug: write, info: write, warn: write, error: write }
  const storage = memoryStorage()
  const { record, claim, release } = storage.deliveries
  const away = () => Promise.reject(new Error('the database is away'))
  let time = Date.parse('2026-11-20T09:30:00.000Z')

  // A receiver that says back all it was told, and a different thing each time.
  const answers = [200, 500, 307, 410, 429, 503]
  const echo = await receiver((response, { headers, body }, count) =>
    response
      .writeHead(answers[count % answers.length] ?? 200, { location: '/', 'retry-after': '1' })
      .end(JSON.stringify(headers) + body),
  )
  const tills = [SECRETS, undefined].map(secrets =>
    createTill({
      storage,
      secrets,
      logger,
      clock: () => new Date(time),
      webhooks: { allowHttp: true, allowPrivateAddresses: true, standardWebhooks: true, timeoutSeconds: 5 },
    }),
  )
  onTestFinished(async () => {
    for (const till of tills) await till.close()
  })
  const secret: string[] = []
  const failures: unknown[] = []
  for (const [n, till] of tills.entries()) {
    const id = `shop-${n}`
    await till.merchants.create({ id, name: 'Shop', webhookUrl: `${echo.url}&token=hushhush` })
    await till.scanCodes.create(id, { code: `CODE-${n}` })
    secret.push((await till.apiKeys.issue(id)).apiKey, await till.merchants.issueWebhookKey(id))
    till.webhooks.on('attemptFailed', () => {
      throw new Error('listener is broken')
    })
    for (let day = 0; day < 8; day++) {
      const payment = await till.payments.start({ scanCode: `CODE-${n}`, totalAmount: 1 })
      await till.payments.complete(payment)
      await till.webhooks.deliverDue()
      await till.webhooks.sendTest(id).catch(error => failures.push(error))
      time += DAY
    }
    await till.webhooks.redeliverSince(id, { since: '2026-01-01T00:00:00Z' })
    storage.deliveries.record = away
    await till.webhooks.redeliver({ merchantId: id, paymentId: 1 })
    const stuck = till.webhooks.deliverDue()
    await echo.got(1)
    storage.deliveries.record = record
    await stuck
    storage.deliveries.claim = away
    await till.webhooks.deliverDue().catch(error => failures.push(error))
    storage.deliveries.claim = claim
    storage.deliveries.release = release
    await storage.merchants.setWebhookKey(id, 'sealed.k9.AAAA')
    await till.webhooks.redeliver({ merchantId: id, paymentId: 1 })
    await till.webhooks.deliverDue()
    await till.authenticate(`${secret[0]}x`)
    await till.webhooks.redeliver({ merchantId: id, paymentId: 99 }).catch(error => failures.push(error))
  }
  const text = [...lines, ...failures.map(String)].join('\n')
  expect(lines.length > 20).toBe(true)
  for (const key of secret) {
    expect(text).not.toContain(key)
    expect(text).not.toContain(key.slice(4, 24))
  }
  expect(text).not.toMatch(/hushhush|whk_|tk_|whsec_|v1,|Service signature|[Aa]uthorization/)
})
