// A host of Request and Response: Hono, with the API beside a route of its own.
import { serve } from '@hono/node-server'
import { merchantApi, toFetch } from '@tillkit/http'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'
import { Hono } from 'hono'

const storage = sqliteStorage({ file: 'till.db' })
await storage.migrate()
const till = createTill({ storage })
const shop = await till.merchants.create({ name: 'Corner Coffee' })
const { apiKey } = await till.apiKeys.issue(shop.id)

const api = toFetch({ '/v1': merchantApi(till, { https: 'off' }) })
const app = new Hono()
app.get('/', context => context.text('Corner Coffee'))
app.all('/v1/*', context => api(context.req.raw))
serve({ fetch: app.fetch, port: 3000 }, () =>
  console.log(`curl -u ${apiKey}: http://localhost:3000/v1/payments`),
)
