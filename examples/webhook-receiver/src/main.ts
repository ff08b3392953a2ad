import type { Server } from 'node:http'
import { closeServer } from '@tillkit/node'
import { buildReceiver } from './build.ts'
import { openSandbox } from './sandbox.ts'

const port = Number(process.env.PORT ?? 3003)
const { TILLKIT_BASE_URL: baseUrl, TILLKIT_API_KEY: apiKey, TILLKIT_WEBHOOK_KEY: webhookKey } = process.env
const onPaid = ({ id, totalAmount }: { id: number; totalAmount: number }) =>
  console.log(`payment ${id} of ${totalAmount} cents: verified, fetched, shipped`)

let receiver: Server
let stopPaying = () => {}
let closeSandbox = async () => {}
if (baseUrl && apiKey && webhookKey) {
  receiver = buildReceiver({ baseUrl, apiKey, webhookKey, onPaid })
} else {
  const sandbox = await openSandbox(`http://127.0.0.1:${port}/webhooks/payments`)
  receiver = buildReceiver({ ...sandbox, onPaid })
  sandbox.till.webhooks.start()
  const { payments } = sandbox.till
  const paying = setInterval(async () => {
    await payments.complete(await payments.start({ scanCode: sandbox.scanCode, totalAmount: 450 }))
  }, 2000)
  stopPaying = () => clearInterval(paying)
  closeSandbox = sandbox.close
  console.log('No TILLKIT_BASE_URL, TILLKIT_API_KEY and TILLKIT_WEBHOOK_KEY: trying a provider in memory.')
}
receiver.listen(port, () => {
  console.log(`Webhooks are taken at http://127.0.0.1:${port}/webhooks/payments`)
})

const SIGNALS = ['SIGINT', 'SIGTERM']
async function stop(): Promise<void> {
  for (const signal of SIGNALS) process.off(signal, stop) // a second one ends the process at once
  stopPaying()
  await closeServer(receiver) // whoever is told of a payment now still asks the API
  await closeSandbox()
}
for (const signal of SIGNALS) process.on(signal, stop)
