import { buildApp } from './build.ts'

const port = Number(process.env.PORT ?? 3001)
const origin = `http://localhost:${port}`

const app = await buildApp({ file: 'fastify.db', qrBaseUrl: origin, https: 'off', fastify: { logger: true } })
const { merchants, apiKeys } = app.till
const merchant = (await merchants.list())[0] ?? (await merchants.create({ name: 'Corner Coffee' }))
const { apiKey } = await apiKeys.issue(merchant.id)

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void app.close())
await app.listen({ port })
console.log(`curl -u ${apiKey}: ${origin}/v1/payments`)
