import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCheckout } from '@tillkit/checkout'
import { createConsole } from '@tillkit/console'
import { closeServer, toNode } from '@tillkit/node'
import { apiReference, openApiDocument } from '@tillkit/openapi'
import { paymentUrl } from '@tillkit/qr'
import { createSandbox, sandboxRoutes } from '@tillkit/sandbox'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill, type Payment, type Till } from '@tillkit/till'
import type { WebhookPayment } from '@tillkit/webhook-signer'
import { bookFile, openBook } from './bank/book.ts'
import { bankPages } from './bank/pages.ts'
import { type Credentials, credentialsFile, loadCredentials } from './credentials.ts'
import { writeHistory } from './history.ts'
import { loadPassword, operatorWith, passwordFile } from './operator.ts'
import { simulatedProcessor } from './processor.ts'
import { resetData } from './reset.ts'
import { startShopping } from './shoppers.ts'
import { SHOPS } from './shops.ts'
import { webhookReceiver } from './webhook-receiver.ts'

export interface DemoOptions {
  port: number
  /** The SQLite file. */
  data: string
  reset?: boolean
  /** Seconds between two payments, about: 4. */
  pace?: number
  /** Called with each payment as it starts and as it ends. */
  onPayment?: (payment: Payment) => void
  /** Called with each webhook whose signature was right. */
  onWebhook?: (merchantId: string, payment: WebhookPayment) => void
}

export interface Demo {
  till: Till
  baseUrl: string
  /** The page to read and try the API on; `openapi.json` is below it. */
  docsUrl: string
  /** What the provider's people look at, and the password of the demo's operator. */
  console: { url: string; password: string }
  /** Where a customer pays an order of the second shop. */
  scanUrl: string
  /** Where a customer of the first shop pays what they like, with a tip. */
  tableUrl: string
  /** A key of the first shop's test ledger, which is in memory. */
  testKey: string
  /** Each shop's keys, by merchant id. */
  credentials: Map<string, Credentials>
  /** Stops taking payments, delivers what is in flight and closes the file. */
  close(): Promise<void>
}

/** Serves a merchant payments API, with shops and shoppers, over plain HTTP on this machine. */
export async function buildDemo(options: DemoOptions): Promise<Demo> {
  const { port, data, reset = false, pace = 4, onPayment = () => {}, onWebhook = () => {} } = options
  if (reset) await resetData(data)

  const storage = sqliteStorage({ file: data })
  const server = createServer()
  try {
    await storage.migrate()
    if ((await storage.merchants.get(SHOPS[0]?.id ?? '')) === null) {
      await storage.transaction(transaction => writeHistory(transaction, new Date()))
    }
    const webhooks = { allowHttp: true, allowPrivateAddresses: true }
    const till = createTill({ storage, logger: false, webhooks })
    const sandbox = createSandbox(till, { api: { https: 'off' }, webhooks })
    const credentials = await loadCredentials(till, credentialsFile(data))
    const origin = await listen(server, port)
    for (const { id } of SHOPS) await till.merchants.update(id, { webhookUrl: `${origin}/webhooks/${id}` })

    const book = openBook(bookFile(data))
    const processor = simulatedProcessor(till, pace, onPayment, { book, bankUrl: `${origin}/bank` })
    const checkout = createCheckout(till, {
      qrBaseUrl: origin,
      processor,
      currency: 'EUR',
      locale: 'en-IE',
      timeoutSeconds: 20,
      brand: { name: 'Tillkit demo', colour: '#0f6b5c' },
      texts: {
        failures: {
          declined_at_bank: 'You declined it at the bank.',
          expired_at_bank: 'You did not confirm it at the bank in time.',
        },
      },
      https: 'off',
    })
    const password = await loadPassword(passwordFile(data))
    const desk = createConsole(till, {
      authorize: operatorWith(password),
      challenge: 'Basic realm="Tillkit demo"',
      currency: 'EUR',
      locale: 'en-IE',
      brand: { name: 'Tillkit demo', colour: '#0f6b5c' },
      lookup: processor.lookup,
      qrBaseUrl: origin,
      https: 'off',
    })
    const baseUrl = `${origin}/v1`
    const document = openApiDocument({ serverUrl: baseUrl, title: 'Tillkit demo', routes: sandboxRoutes })
    server.on(
      'request',
      toNode({
        '/v1': sandbox.handler,
        '/qr': checkout.handler,
        '/bank': bankPages(book),
        '/docs': apiReference({ document }),
        '/console': desk.handler,
        '/webhooks': webhookReceiver(id => credentials.get(id)?.webhookKey, onWebhook),
      }),
    )
    till.webhooks.start()
    const reconciling = setInterval(() => {
      till.payments.reconcile(processor.lookup, { olderThanSeconds: 60 }).catch(error => {
        console.error(`payments without an outcome could not be looked up: ${error.message}`)
      })
    }, 30_000)
    const shoppers = startShopping(till, pace, onPayment)

    const { apiKey: testKey } = await sandbox.apiKeys.issue(SHOPS[0]?.id ?? '')

    return {
      till,
      testKey,
      credentials,
      baseUrl,
      docsUrl: `${origin}/docs`,
      console: { url: `${origin}/console`, password },
      scanUrl: paymentUrl({
        qrBaseUrl: origin,
        scanCode: 'books-webshop',
        merchantReference: `HB-web-${Math.floor(Date.now() / 1000)}`,
        requiredAmount: 1850,
        strict: true,
      }),
      tableUrl: paymentUrl({ qrBaseUrl: origin, scanCode: 'coffee-terrace' }),
      async close() {
        clearInterval(reconciling)
        await shoppers.stop()
        // The page, the API and the shops' receivers answer what is under way, and need all that follows for it.
        const answered = closeServer(server)
        await processor.stop()
        await checkout.close()
        await till.close()
        await sandbox.close()
        await answered
        await storage.close()
      },
    }
  } catch (error) {
    server.close()
    await storage.close().catch(() => {})
    throw error
  }
}

async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
