import { buildApp } from './build.ts'

const port = Number(process.env.PORT ?? 3001)
const origin = `http://localhost:${port}`

const app = await buildApp({ file: 'fastify.db', qrBaseUrl: origin, https: 'off', fastify: { logger: true } })
const { merchants, apiKeys } = app.till
const merchant = (await merchants.list())[0] ?? (await merchants.create({ name: 'Corner Coffee' }))
const { apiKey } = await apiKeys.issue(merchant.id)

const SIGNALS = ['SIGINT', 'SIGTERM']
function stop(): void {
  for (const signal of SIGNALS) process.off(signal, stop) // a second one ends the process at once
  void app.close()
}
for (const signal of SIGNALS) process.on(signal, stop)
await app.listen({ port })
console.log(`curl -u ${apiKey}: ${origin}/v1/payments`)
