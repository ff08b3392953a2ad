import { createServer } from 'node:http'
import { merchantApi } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'
import { tellAtRest } from './at-rest.js'

// A host that has loaded all that it ever will but its images: it has kept a payment and posted its webhook.
const storage = sqliteStorage({ file: ':memory:' })
await storage.migrate()
const till = createTill({
  storage,
  logger: false,
  webhooks: { allowHttp: true, allowPrivateAddresses: true },
})
const receiver = createServer((_, response) => response.writeHead(204).end())
await new Promise(resolve => receiver.listen(0, '127.0.0.1', resolve))
const webhookUrl = `http://127.0.0.1:${receiver.address().port}`
const shop = await till.merchants.create({ name: 'Corner Coffee', webhookUrl })
const { code } = await till.scanCodes.create(shop.id)
await till.payments.complete(await till.payments.start({ scanCode: code, totalAmount: 1250 }))
const { delivered } = await till.webhooks.deliverDue()
if (delivered !== 1) throw new Error('the webhook was not delivered')

tellAtRest(createServer(toNode(merchantApi(till, { https: 'off' }))))
