import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { devNull } from 'node:os'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'

// A worker that is started while this process may open no more files, until it may: says what was logged by then.
const logged: string[] = []
const log = ({ error }: { error?: string }, message: string) => logged.push(`${message}: ${error}`)
const nothing = () => {}
const till = createTill({
  storage: memoryStorage(),
  webhooks: { allowHttp: true, allowPrivateAddresses: true },
  logger: { debug: nothing, info: nothing, warn: nothing, error: log },
})
const receiver = createServer((request, response) => request.resume().on('end', () => response.end()))
await once(receiver.listen(0), 'listening')
const { port } = receiver.address() as AddressInfo
await till.merchants.create({ id: 'shop', name: 'Shop', webhookUrl: `http://127.0.0.1:${port}` })
await till.scanCodes.create('shop', { code: 'CODE' })
await till.payments.complete(await till.payments.start({ scanCode: 'CODE', totalAmount: 1 }))

const files: number[] = []
try {
  for (;;) files.push(openSync(devNull, 'r'))
} catch {
  till.webhooks.start()
}
while (logged.length === 0) await new Promise(resolve => setTimeout(resolve, 10))
const [first = ''] = logged
for (const file of files) closeSync(file)

await once(receiver, 'request')
await till.webhooks.stop()
const { items } = await till.webhooks.list('shop')
receiver.close()
receiver.closeAllConnections()
await till.close()
console.log(JSON.stringify({ first: first.replace(/'.*/, ''), attempts: items[0]?.attempts }))
