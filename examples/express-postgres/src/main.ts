import { once } from 'node:events'
import { closeServer } from '@tillkit/node'
import { ownPostgres } from '@tillkit/servers'
import { buildShop } from './build.ts'
import { openPool } from './open-pool.ts'

const port = Number(process.env.PORT ?? 3005)
const origin = `http://localhost:${port}`

const given = process.env.DATABASE_URL
// Without a server of its own to go to, one that lasts as long as this program.
const own = given ? undefined : await ownPostgres()
const pool = openPool(given ?? own?.url ?? '')
const { app, db, till, close } = await buildShop({ pool, qrBaseUrl: origin, https: 'off' })
await db
  .insertInto('stock')
  .values({ item: 'mug', price: 1250, remaining: 100 })
  .onConflict(conflict => conflict.doNothing())
  .execute()

const SIGNALS = ['SIGINT', 'SIGTERM']
const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
for (const signal of SIGNALS) process.on(signal, stop)
const { apiKey } = await till.apiKeys.issue('shop')
const server = app.listen(port)
await once(server, 'listening')
const json = `-H 'content-type: application/json' -d`
console.log(`Order:   curl ${origin}/orders ${json} '{"item":"mug","quantity":2}'`)
console.log(`Approve: curl ${origin}/processor ${json} '{"paymentId":1,"approved":true}'`)
console.log(`List:    curl -u ${apiKey}: ${origin}/v1/payments`)

await stopped
for (const signal of SIGNALS) process.off(signal, stop) // a second one ends the process at once
await closeServer(server)
await close()
await pool.end()
await own?.remove()
