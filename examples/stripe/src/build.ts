import { createServer, type Server } from 'node:http'
import { createCheckout } from '@tillkit/checkout'
import { type HttpsOption, merchantApi } from '@tillkit/http'
import { closeServer, toNode } from '@tillkit/node'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill, type Till } from '@tillkit/till'
import type Stripe from 'stripe'
import { stripeProcessor } from './processor.ts'

export interface ShopOptions {
  /** The SQLite file. */
  file: string
  stripe: Stripe
  /** The address that QR codes carry. */
  qrBaseUrl: string
  /** `off` for local work. */
  https?: HttpsOption
}

/** Stripe's test methods. In production its Payment Element makes a PaymentMethod in the browser and fills in this field. */
const METHODS = `<div class="field"><label for="payment_method">Pay by</label>
<select id="payment_method" name="payment_method">
<option value="pm_card_visa">Visa</option>
<option value="pm_card_authenticationRequired">Visa that asks you to confirm</option>
<option value="ideal">iDEAL</option>
<option value="pm_card_visa_chargeDeclined">Visa that is declined</option>
</select></div>`

/** A page to pay on by Stripe, the API beside it, and every minute a question about what nobody has heard the end of. */
export async function buildShop({ file, stripe, qrBaseUrl, https = 'required' }: ShopOptions): Promise<{
  server: Server
  till: Till
  close(): Promise<void>
}> {
  const storage = sqliteStorage({ file })
  await storage.migrate()
  const till = createTill({ storage, logger: console })
  const processor = stripeProcessor(stripe, { currency: 'eur' })
  const checkout = createCheckout(till, {
    qrBaseUrl,
    https,
    currency: 'EUR',
    locale: 'en-IE',
    processor,
    methodFields: METHODS,
    texts: {
      failures: { abandoned: 'It was not confirmed in time.', generic_decline: 'The card was declined.' },
    },
  })
  const server = createServer(toNode({ '/v1': merchantApi(till, { https }), '/qr': checkout.handler }))
  const reconciling = setInterval(() => {
    till.payments.reconcile(processor.lookup, { olderThanSeconds: 120 }).catch(console.error)
  }, 60_000)
  till.webhooks.start()

  return {
    server,
    till,
    async close() {
      clearInterval(reconciling)
      await closeServer(server)
      await checkout.close()
      await till.close()
      await storage.close()
    },
  }
}
