import { buildReceiver } from './build.ts'
import { openSandbox } from './sandbox.ts'

const port = Number(process.env.PORT ?? 3003)
const { TILLKIT_BASE_URL: baseUrl, TILLKIT_API_KEY: apiKey, TILLKIT_WEBHOOK_KEY: webhookKey } = process.env
const onPaid = ({ id, totalAmount }: { id: number; totalAmount: number }) =>
  console.log(`payment ${id} of ${totalAmount} cents: verified, fetched, shipped`)

if (baseUrl && apiKey && webhookKey) {
  buildReceiver({ baseUrl, apiKey, webhookKey, onPaid }).listen(port)
} else {
  const sandbox = await openSandbox(`http://127.0.0.1:${port}/webhooks/payments`)
  buildReceiver({ ...sandbox, onPaid }).listen(port)
  sandbox.till.webhooks.start()
  const { payments } = sandbox.till
  setInterval(async () => {
    await payments.complete(await payments.start({ scanCode: sandbox.scanCode, totalAmount: 450 }))
  }, 2000)
  console.log('No TILLKIT_BASE_URL, TILLKIT_API_KEY and TILLKIT_WEBHOOK_KEY: trying a provider in memory.')
}
console.log(`Webhooks are taken at http://127.0.0.1:${port}/webhooks/payments`)
process.once('SIGINT', () => process.exit())
