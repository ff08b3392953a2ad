import { createServer } from 'node:net'
import { CommitUnknownError, DatabaseError, type Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { postgresStorage } from '@tillkit/storage-kysely/postgres'
import { createTill } from '@tillkit/till'
import { describe, expect, test, vi } from 'vitest'
import { openShop, send, stateOf } from './shop.ts'

const press = { total: '1850' }
const order = '/shelf?id=HB-1&amount=1850'

/** A memory that fails to start payments as it is told. */
function failingStorage() {
  const storage = memoryStorage()
  const start = vi.fn(storage.payments.start)
  const payments = new Proxy(storage.payments, {
    get: (target, name, receiver) => (name === 'start' ? start : Reflect.get(target, name, receiver)),
  })
  const failing = new Proxy(storage, {
    get: (target, name, receiver) => (name === 'payments' ? payments : Reflect.get(target, name, receiver)),
  }) as Storage
  return { storage: failing, start, really: storage.payments.start }
}

describe('a database that is out of reach', () => {
  test('is a page that says so, with when to look again and the number that the log has', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => closed.once('listening', resolve))
    const { port } = closed.address() as { port: number }
    await new Promise(resolve => closed.close(resolve))
    const storage = postgresStorage({ connectionString: `postgres://nobody@127.0.0.1:${port}/none` })
    const logger = { warn: vi.fn(), error: vi.fn() }
    const { another } = await openShop({ logger })
    const { handler } = another({}, createTill({ storage, logger: false, rememberSeconds: 0 }))
    try {
      const attempt = `/shelf/pay/${'A'.repeat(22)}?amount=1850`
      for (const [target, sent] of [['/shelf?amount=1850'], [attempt], [attempt, { form: press }]] as const) {
        logger.error.mockClear()
        const answer = await send(handler, target, sent)
        expect([answer.status, answer.headers['Retry-After']]).toEqual([503, '5'])
        const page = String(answer.body)
        expect(page).toContain('Not available just now')
        expect(page).not.toContain('charged nothing') // nobody can know that of an attempt that cannot be looked at
        expect(page).toContain(`href="${target.split('/').at(-1)}"`)
        const id = answer.headers['X-Request-Id'] ?? 'none'
        expect(page).toContain(`Number: ${id}`)
        expect(logger.error.mock.calls).toMatchObject([
          [{ requestId: id, err: expect.any(DatabaseError) }, expect.any(String)],
        ])
      }
    } finally {
      await storage.close()
    }
  })

  test('when a payment is started: nothing was charged, and the next press is the first', async () => {
    const { storage, start, really } = failingStorage()
    const { customer, processor } = await openShop({ logger: false }, { storage })
    const { target } = await customer.open(order)
    start.mockRejectedValueOnce(new DatabaseError('cannot reach the database'))
    const { response, page } = await customer.press(target, press)
    expect([response.status, response.headers['Retry-After']]).toEqual([503, '5'])
    expect(page).toContain('this try has charged nothing')
    expect(page).toContain(`href="${target.slice('/shelf/pay/'.length).replaceAll('&', '&#38;')}"`)
    start.mockImplementation(really)
    expect(stateOf((await customer.press(target, press)).page)).toBe('completed')
    expect(processor.charged).toHaveLength(1)
  })

  test('a clock of the host’s that says no time is no fault of the customer’s: it is logged, and nothing charged', async () => {
    const logger = { warn: vi.fn(), error: vi.fn() }
    const time = { now: new Date() }
    const { customer, processor } = await openShop({ logger }, { logger: false, clock: () => time.now })
    const { target } = await customer.open(order)
    time.now = new Date(Number.NaN)
    const { response } = await customer.press(target, press)
    expect(response.status).toBe(500)
    expect(logger.error.mock.calls).toMatchObject([
      [{ err: { message: expect.stringMatching(/^clock must return a valid Date/) } }, 'request failed'],
    ])
    expect(processor.charged).toEqual([])
  })

  test.each([true, false])('in the middle of the start, which took place: %s', async took => {
    const { storage, start, really } = failingStorage()
    const { customer, processor, till } = await openShop({ logger: false }, { storage })
    const { target } = await customer.open(order)
    start.mockImplementationOnce(async (...args) => {
      if (took) await really(...args)
      throw new CommitUnknownError(new Error('cut'))
    })
    const { response, page } = await customer.press(target, press)
    expect(response.status).toBe(503)
    expect(page).not.toContain('charged nothing')
    expect(page).toContain('you will not be charged twice')
    expect(processor.charged).toEqual([])
    start.mockImplementation(really)
    expect(stateOf((await customer.open(target)).page)).toBe(took ? 'pending' : 'pay')
    await customer.press(target, press)
    expect(processor.charged).toHaveLength(took ? 0 : 1)
    expect((await till.payments.list('books')).total).toBe(1)
  })
})

describe('every page has a number', () => {
  test('the request’s own, if it is a fit one; the log line of a fault has it too', async () => {
    const logger = { warn: vi.fn(), error: vi.fn() }
    const { checkout, till } = await openShop({ logger })
    vi.spyOn(till.merchants, 'get').mockRejectedValue(new Error('password=hunter2'))
    for (const [own, kept] of [
      ['abc-1.2_3', true],
      ['<b>', false],
      ['x'.repeat(129), false],
    ] as const) {
      logger.error.mockClear()
      const { status, headers, body } = await send(checkout.handler, '/shelf', {
        headers: { 'x-request-id': own },
      })
      expect(status).toBe(500)
      expect(headers['X-Request-Id'] === own).toBe(kept)
      expect(String(body)).toContain(`Number: ${headers['X-Request-Id']}`)
      expect(logger.error.mock.calls).toMatchObject([
        [{ requestId: headers['X-Request-Id'] }, 'request failed'],
      ])
    }
    const found = await send(checkout.handler, '/nobody', { headers: { 'x-request-id': 'mine' } })
    expect([found.status, found.headers['X-Request-Id']]).toEqual([404, 'mine'])
  })

  test('without a logger of its own the checkout uses the till’s', async () => {
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }
    const { customer, till } = await openShop({}, { logger })
    vi.spyOn(till.scanCodes, 'get').mockRejectedValue(new Error('no'))
    expect((await customer.open('/shelf')).response.status).toBe(500)
    expect(logger.error).toHaveBeenCalledOnce()
  })
})

describe('a form that costs more than it is worth', () => {
  const body = (text: string) => async () => Buffer.from(text)
  test.each([
    ['1 MB of fields', 'a&'.repeat(500_000), 400],
    ['more fields than there is use for', 'a&'.repeat(64), 400],
  ])('%s', async (_, text, status) => {
    const { customer, checkout, processor } = await openShop()
    const { target } = await customer.open(order)
    const cookie = customer.cookie()
    const answer = await send(checkout.handler, target, { method: 'POST', body: body(text), cookie })
    expect(answer.status).toBe(status)
    expect(String(answer.body)).toContain('Nothing was charged by it.')
    expect(processor.charged).toEqual([])
  })
})
