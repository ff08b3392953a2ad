import { toExpress } from '@tillkit/express'
import { type HttpsOption, merchantApi, qrEndpoints } from '@tillkit/http'
import { paymentUrl } from '@tillkit/qr'
import { postgresStorage } from '@tillkit/storage-kysely/postgres'
import { createTill, type Till, TillError } from '@tillkit/till'
import express, { type ErrorRequestHandler, type Express } from 'express'
import { Kysely, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import { orderAsked, orderIdAsked, outcomeAsked, Unreadable } from './asked.ts'
import { placeOrder, SoldOut, settleOrder } from './orders.ts'
import { createTables, type ShopTables } from './tables.ts'

export interface ShopOptions {
  /** The shop's own database. */
  pool: Pool
  /** The address that QR codes carry. */
  qrBaseUrl: string
  /** `off` for local work. */
  https?: HttpsOption
}

const SHOP = { id: 'shop', name: 'The Shop' }
const SCAN_CODE = 'shop-checkout'

/** A shop that had a server and a database before Tillkit came: its own routes, and the API beside them. */
export async function buildShop({ pool, qrBaseUrl, https }: ShopOptions): Promise<{
  app: Express
  db: Kysely<ShopTables>
  till: Till
  close(): Promise<void>
}> {
  const db = new Kysely<ShopTables>({ dialect: new PostgresDialect({ pool }) })
  await createTables(db)
  const storage = postgresStorage({ pool })
  await storage.migrate()
  const till = createTill({ storage, logger: console })
  if ((await till.merchants.get(SHOP.id)) === null) {
    await till.merchants.create(SHOP)
    await till.scanCodes.create(SHOP.id, { code: SCAN_CODE })
  }

  const app = express()
  // Before the parser, which would answer bodies that it cannot read itself: the API ignores them.
  app.use('/v1', toExpress(merchantApi(till, { https, logger: console })))
  app.use('/qr', toExpress(qrEndpoints(till, { qrBaseUrl, https, logger: console })))
  app.use(express.json())
  app.get('/orders/:id', async (request, response) => {
    const id = orderIdAsked(request.params.id)
    const order = await db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()
    response.status(order ? 200 : 404).json(order ?? { error: 'no such order' })
  })
  app.post('/orders', async (request, response) => {
    const { orderId, payment } = await placeOrder(db, SCAN_CODE, orderAsked(request.body))
    const { merchantReference, totalAmount } = payment
    const url = paymentUrl({
      qrBaseUrl,
      scanCode: SCAN_CODE,
      merchantReference: merchantReference ?? '',
      requiredAmount: totalAmount,
    })
    response.status(201).json({ orderId, paymentId: payment.id, amount: totalAmount, url })
  })
  app.post('/processor', async (request, response) => {
    await settleOrder(db, SHOP.id, outcomeAsked(request.body))
    response.sendStatus(204)
  })
  app.use(errors)
  till.webhooks.start()

  return { app, db, till, close: () => till.close() }
}

const errors: ErrorRequestHandler = (error, _request, response, next) => {
  if (response.headersSent) return next(error)
  if (error instanceof SoldOut) return void response.status(409).json({ error: error.message })
  const refused = error instanceof TillError || error instanceof Unreadable
  if (refused) return void response.status(400).json({ error: error.message })
  // Of `express.json()`, which says what is wrong with a body: it is no JSON, or too large.
  if (error.expose === true) return void response.status(error.status).json({ error: error.message })
  console.error(error)
  response.status(500).json({ error: 'something went wrong' })
}
