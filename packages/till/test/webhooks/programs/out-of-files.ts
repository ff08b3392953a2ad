import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { devNull } from 'node:os'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'

// Webhooks to a host while this process may open no more files, and once it may: says what there is of each then.
const [host = 'localhost'] = process.argv.slice(2)
let ahead = 0
const till = createTill({
  storage: memoryStorage(),
  webhooks: { allowHttp: true, allowPrivateAddresses: true },
  logger: false,
  clock: () => new Date(Date.now() + ahead),
})
const receiver = createServer((request, response) => request.resume().on('end', () => response.end()))
await once(receiver.listen(0), 'listening')
const { port } = receiver.address() as AddressInfo
await till.merchants.create({ id: 'shop', name: 'Shop', webhookUrl: `http://${host}:${port}` })
await till.scanCodes.create('shop', { code: 'CODE' })
const said: object[] = []
const deliver = async () => {
  const { delivered, failed } = await till.webhooks.deliverDue()
  const { items } = await till.webhooks.list('shop')
  const attempts = items.map(({ history }) => history.map(({ error }) => error))
  said.push({ delivered, failed, attempts, ...(await till.webhooks.endpoint('shop')) })
}
const paid = async () =>
  till.payments.complete(await till.payments.start({ scanCode: 'CODE', totalAmount: 1 }))

// What is loaded with the first webhook can be read by now.
await paid()
await deliver()
receiver.closeAllConnections()
// As long as it is kept what the hosts file says.
ahead += 60_000
await new Promise(resolve => setTimeout(resolve, 1100))

await paid()
const files: number[] = []
try {
  for (;;) files.push(openSync(devNull, 'r'))
} catch {
  await deliver()
}
const test = await till.webhooks.sendTest('shop').catch(error => error.message)
for (const file of files) closeSync(file)

// Past the lease.
ahead += 60_000
await deliver()
receiver.close()
receiver.closeAllConnections()
await till.close()
console.log(JSON.stringify({ said, test }))
