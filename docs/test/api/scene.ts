import { merchantApi, qrEndpoints, toFetch } from '@tillkit/http'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'

/** The provider and the merchant of the page, and all that happens there beside requests. */
export async function openScene(webhookUrl: string) {
  const storage = sqliteStorage({ file: ':memory:' })
  await storage.migrate()
  let now = '2026-11-20T09:30:00Z'
  const till = createTill({
    storage,
    clock: () => new Date(now),
    logger: false,
    rememberSeconds: 0,
    webhooks: { allowHttp: true, allowPrivateAddresses: true },
  })
  const { id } = await till.merchants.create({
    id: 'corner-coffee',
    name: 'Corner Coffee',
    features: { tips: true, userReferences: true },
  })
  const { apiKey } = await till.apiKeys.issue(id)
  const webhookKey = await till.merchants.issueWebhookKey(id)
  await till.scanCodes.create(id, { code: 'counter', reference: 'Counter' })

  const start = (date: string, totalAmount: number, more = {}) => {
    now = date
    return till.payments.start({ scanCode: 'counter', totalAmount, ...more })
  }
  await till.payments.complete(
    await start('2026-11-20T09:30:00Z', 1300, {
      tipAmount: 50,
      userReference: 'Zoë',
      merchantReference: 'INV-1001',
      requiredAmount: 1250,
      strict: true,
      extra: { table: '7' },
    }),
  )
  await till.payments.fail(await start('2026-11-20T09:31:00Z', 400))
  await till.payments.complete(await start('2026-11-20T09:32:00Z', 900))

  const happenings: Record<string, () => Promise<unknown>> = {
    'payment 4 has been started': () => start('2026-11-20T18:00:00Z', 250),
    'payment 4 has failed': () => till.payments.fail({ merchantId: id, id: 4 }),
    'the merchant is suspended': () => till.merchants.suspend(id),
    'the merchant is resumed': () => till.merchants.resume(id),
    'this is what a receiver gets': async () => {
      await till.merchants.update(id, { webhookUrl })
      await till.payments.complete(await start('2026-11-20T18:00:00Z', 700))
      await till.webhooks.deliverDue()
    },
  }

  const ask = toFetch({
    '/v1': merchantApi(till),
    '/qr': qrEndpoints(till, { qrBaseUrl: 'https://pay.example.com' }),
  })
  return {
    ask: (path: string, init: RequestInit) =>
      ask(new Request(`https://pay.example.com${path}`, init), { remoteAddress: '203.0.113.7' }),
    happen: async (what: string) => {
      const happening = happenings[what]
      if (happening === undefined) throw new Error(`the page says what nobody does here: ${what}`)
      await happening()
    },
    credentials: btoa(`${apiKey}:`),
    webhookKey,
    close: async () => {
      await till.close()
      await storage.close()
    },
  }
}
