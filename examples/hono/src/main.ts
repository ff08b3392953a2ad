import { serve } from '@hono/node-server'
import { closeServer } from '@tillkit/node'
import { buildApp } from './build.ts'

const port = Number(process.env.PORT ?? 3002)
const origin = `http://localhost:${port}`

const { app, till, close } = await buildApp({ file: 'hono.db', qrBaseUrl: origin, https: 'off' })
const merchant = (await till.merchants.list())[0] ?? (await till.merchants.create({ name: 'Corner Coffee' }))
const { apiKey } = await till.apiKeys.issue(merchant.id)

const server = serve({ fetch: app.fetch, port }, () => {
  console.log(`curl -u ${apiKey}: ${origin}/v1/payments`)
})

const SIGNALS = ['SIGINT', 'SIGTERM']
async function stop(): Promise<void> {
  for (const signal of SIGNALS) process.off(signal, stop) // a second one ends the process at once
  await closeServer(server)
  await close()
}
for (const signal of SIGNALS) process.on(signal, stop)
