// What @tillkit/conformance is for: `npx tillkit-conformance` against a host of one's own, its QR codes too.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { merchantApi, qrEndpoints } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'

const till = createTill({ storage: memoryStorage() })
await till.merchants.create({ id: 'coffee', name: 'Corner Coffee' })
await till.scanCodes.create('coffee', { code: 'counter' })
const { apiKey } = await till.apiKeys.issue('coffee')
await till.payments.complete(await till.payments.start({ scanCode: 'counter', totalAmount: 450 }))

const server = createServer((request, response) => tillkit(request, response)).listen(0, '127.0.0.1')
await new Promise(resolve => server.once('listening', resolve))
const origin = `http://127.0.0.1:${server.address().port}`
const tillkit = toNode({
  '/v1': merchantApi(till, { https: 'off' }),
  '/qr': qrEndpoints(till, { qrBaseUrl: origin, https: 'off' }),
})

const words = ['tillkit-conformance', `${origin}/v1`, '--qr', origin, '--json']
const env = { ...process.env, TILLKIT_KEY: apiKey }
const printed = await new Promise((resolve, reject) => {
  execFile('npx', words, { env, cwd: import.meta.dirname }, (error, out, said) =>
    error ? reject(new Error(`${error.message}\n${said}${out}`)) : resolve(out),
  )
})
const report = JSON.parse(printed)
assert.equal(report.conforms, true)
assert.ok(report.passed > 40)
server.close()
server.closeAllConnections()
await till.close()
