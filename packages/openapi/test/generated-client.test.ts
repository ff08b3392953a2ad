import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import { toNode } from '@tillkit/node'
import { openApiDocument } from '@tillkit/openapi'
import { createSandbox, sandboxRoutes } from '@tillkit/sandbox'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { afterAll, expect, test } from 'vitest'

const run = promisify(execFile)
const till = createTill({ storage: memoryStorage(), logger: false })
await till.merchants.create({ id: 'coffee', name: 'Corner Coffee' })
await till.scanCodes.create('coffee', { code: 'counter' })
for (const merchantReference of ['INV-1', 'INV-2', 'INV-3']) {
  await till.payments.complete(
    await till.payments.start({ scanCode: 'counter', totalAmount: 1250, merchantReference }),
  )
}
const { apiKey } = await till.apiKeys.issue('coffee')
const sandbox = createSandbox(till, { api: { https: 'off' } })
const { apiKey: testKey } = await sandbox.apiKeys.issue('coffee')
const server = createServer(toNode({ '/v1': sandbox.handler })).listen(0, '127.0.0.1')
await once(server, 'listening')
const serverUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
const folder = await mkdtemp(join(import.meta.dirname, '../.scratch-'))
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await sandbox.close()
  await rm(folder, { recursive: true })
})

/** What a merchant's developer writes with what was generated from the document. */
const PROGRAM = `
import { createClient } from './client/client/index.ts'
import {
  createCashUp, createTestPayment, decideTestPayment, getPayment, listPayments, moveTestClock, resetTestLedger,
} from './client/sdk.gen.ts'

const [baseUrl, apiKey, testKey] = process.argv.slice(2)
const clientOf = (key: string | undefined) => createClient({ baseUrl: String(baseUrl), auth: key + ':' })
const client = clientOf(apiKey)
const startDate = '2020-01-01T00:00:00+02:00'
const { data: payments = [], response } =
  await listPayments({ client, query: { status: ['completed', 'error'], perPage: 2, startDate } })
const vouchers: boolean[] = payments.map(payment => 'isVoucher' in payment && payment.isVoucher)
const cashUp = await createCashUp({ client, headers: { 'Idempotency-Key': 'monday' } })
const again = await createCashUp({ client, headers: { 'Idempotency-Key': 'monday' } })
const unknown = await getPayment({ client, path: { id: 99 } })

const trial = clientOf(testKey)
const reset = await resetTestLedger({ client: trial })
const pending = await createTestPayment({ client: trial, body: { totalAmount: 5, outcome: 'pending' } })
const decided = await decideTestPayment({ client: trial, path: { id: 1 }, body: { outcome: 'error' } })
const moved = await moveTestClock({ client: trial, body: { advanceSeconds: 60 } })
const refused = await createTestPayment({ client: trial, body: { totalAmount: -5 } })

console.log(JSON.stringify({
  list: payments.map(({ id, merchantReference }) => [id, merchantReference]),
  total: response?.headers.get('x-total'),
  vouchers,
  one: (await getPayment({ client, path: { id: 1 } })).data?.totalAmount,
  same: cashUp.data?.reference === again.data?.reference && cashUp.data !== undefined,
  unknown: [unknown.response?.status, unknown.error?.code],
  trial: [reset.data?.seed, pending.data?.status, decided.data?.status, moved.data?.now],
  refused: refused.error?.message,
}))
`

const TSCONFIG = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true },
    ...{ module: 'nodenext', target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'], types: ['node'] },
  },
}

test('a client in TypeScript that a generator makes of the document has types that hold, and works', async () => {
  const input = JSON.parse(JSON.stringify(openApiDocument({ serverUrl, routes: sandboxRoutes })))
  await createClient({
    input,
    output: { path: join(folder, 'client'), module: { extension: '.ts' } },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
  })
  await writeFile(join(folder, 'program.ts'), PROGRAM)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ ...TSCONFIG, files: ['program.ts'] }))
  const wrong = await run('tsc', ['-p', folder]).then(
    () => '',
    ({ stdout, message }) => stdout || message,
  )
  expect(wrong).toBe('')

  const { stdout } = await run(process.execPath, ['program.ts', serverUrl, apiKey, testKey], { cwd: folder })
  expect(JSON.parse(stdout)).toEqual({
    list: [
      [3, 'INV-3'],
      [2, 'INV-2'],
    ],
    total: '3',
    vouchers: [false, false],
    one: 1250,
    same: true,
    unknown: [404, 'not_found'],
    trial: ['tillkit', 'pending', 'error', '2026-01-01T00:01:00Z'],
    refused: 'totalAmount must be an integer from 0 to 9007199254740991',
  })
})
