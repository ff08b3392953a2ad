import { merchantApi, qrEndpoints, toFetch } from '@tillkit/http'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openTill, send } from '../fixture.ts'

const qrBaseUrl = 'https://pay.example.com'

function stderr() {
  const write = vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
  onTestFinished(() => write.mockRestore())
  return () => write.mock.calls.map(([text]) => String(text))
}

const broken = () =>
  createTill({
    storage: {
      ...memoryStorage(),
      scanCodes: { ...memoryStorage().scanCodes, find: () => Promise.reject(new Error('no\nway')) },
    },
  })

test('without a logger a fault is one line on stderr, with its id', async () => {
  const lines = stderr()
  const { headers } = await send(qrEndpoints(broken(), { qrBaseUrl }), '/table-1')
  expect(lines()).toHaveLength(1)
  expect(lines()[0]).toMatch(/^[^\n]*ERROR request failed[^\n]*\n$/)
  expect(lines()[0]).toContain(headers['X-Request-Id'])
})

test('of an adapter, too', async () => {
  const lines = stderr()
  await toFetch(() => Promise.reject(new Error('no')))(new Request(qrBaseUrl))
  expect(lines()).toHaveLength(1)
})

test('false is silence', async () => {
  const lines = stderr()
  await send(qrEndpoints(broken(), { qrBaseUrl, logger: false }), '/table-1')
  await toFetch(() => Promise.reject(new Error('no')), { logger: false })(new Request(qrBaseUrl))
  expect(lines()).toEqual([])
})

test('the till’s own logger hears where there is no other', async () => {
  const error = vi.fn()
  const till = { ...broken(), logger: { debug() {}, info() {}, warn() {}, error } }
  await send(qrEndpoints(till, { qrBaseUrl }), '/table-1')
  expect(error).toHaveBeenCalledOnce()
  const authenticate = () => Promise.reject(new Error('no'))
  await send(merchantApi({ ...till, authenticate }), '/payments', { apiKey: 'tk_1' })
  expect(error).toHaveBeenCalledTimes(2)
})

test('a logger that throws harms nothing', async () => {
  const lines = stderr()
  const throws = () => {
    throw new Error('full disk')
  }
  const logger = { warn: throws, error: throws }
  expect((await send(qrEndpoints(broken(), { qrBaseUrl, logger }), '/table-1')).status).toBe(500)
  const { till } = await openTill()
  const insecure = { secure: false, headers: { 'x-forwarded-proto': 'https' } }
  expect((await send(merchantApi(till, { logger }), '/payments', insecure)).status).toBe(403)
  const listen = toFetch(() => Promise.reject(new Error('no')), { logger })
  expect((await listen(new Request(qrBaseUrl))).status).toBe(500)
  expect(lines()).toHaveLength(3)
})
