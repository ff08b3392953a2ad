import { generate } from 'selfsigned'
import { buildServer } from './build.ts'

const port = Number(process.env.PORT ?? 8443)
const origin = `https://localhost:${port}`

// For trying it out: a real server has a certificate that clients know.
const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], { keySize: 2048 })
const { server, till, close } = await buildServer({
  file: 'node-http.db',
  tls: { key, cert },
  qrBaseUrl: origin,
})

const merchant = (await till.merchants.list())[0] ?? (await till.merchants.create({ name: 'Corner Coffee' }))
const { apiKey } = await till.apiKeys.issue(merchant.id)
server.listen(port, () => console.log(`curl -k -u ${apiKey}: ${origin}/v1/payments`))

const SIGNALS = ['SIGINT', 'SIGTERM']
function stop(): void {
  for (const signal of SIGNALS) process.off(signal, stop) // a second one ends the process at once
  void close()
}
for (const signal of SIGNALS) process.on(signal, stop)
