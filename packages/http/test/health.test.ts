import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { healthEndpoints } from '@tillkit/http'
import { DatabaseError, type Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parsed, send } from './fixture.ts'

/** A till whose storage is asked whether it is migrated by `migrated`. */
function tillWith(migrated: () => Promise<boolean> = async () => true) {
  const asked = vi.fn(migrated)
  const till = createTill({ storage: { ...memoryStorage(), migrated: asked }, logger: false })
  onTestFinished(async () => void (await till.close()))
  return { till, asked }
}

const ready = (states: object = {}) => ({
  ok: true,
  checks: {
    process: { ok: true, state: 'running' },
    database: { ok: true, state: 'answers' },
    migrations: { ok: true, state: 'done' },
    worker: { ok: true, state: 'not here' },
    ...states,
  },
})

test('a process that is well is alive and ready, over plain HTTP too', async () => {
  const health = healthEndpoints(tillWith().till)
  const live = await send(health, '/livez', { secure: false })
  expect([live.status, parsed(live)]).toEqual([
    200,
    { ok: true, checks: { process: { ok: true, state: 'running' } } },
  ])
  for (const target of ['/readyz', '/readyz/', '/readyz?verbose']) {
    const response = await send(health, target, { secure: false })
    expect([response.status, parsed(response)]).toEqual([200, ready()])
    expect(response.headers).toMatchObject({
      'Cache-Control': 'no-store',
      'Content-Type': 'application/json; charset=utf-8',
    })
  }
})

test('HEAD has the headers alone; other methods and paths there are not', async () => {
  const health = healthEndpoints(tillWith().till)
  const head = await send(health, '/readyz', { method: 'HEAD' })
  expect([head.status, head.body, Number(head.headers['Content-Length']) > 0]).toEqual([200, null, true])
  const post = await send(health, '/livez', { method: 'POST' })
  expect([post.status, post.headers.Allow]).toEqual([405, 'GET, HEAD'])
  for (const path of ['/', '//', '/livez2', '/readyz/x', '/%2e']) {
    expect((await send(health, path)).status).toBe(404)
  }
})

test('a storage that has no migrations is asked its time, or for a merchant', async () => {
  const { time, migrated, ...timeless } = memoryStorage()
  const list = vi.spyOn(timeless.merchants, 'list')
  for (const storage of [{ ...timeless, time }, timeless]) {
    const till = createTill({ storage, logger: false })
    expect((await send(healthEndpoints(till), '/readyz')).status).toBe(200)
  }
  expect([migrated, list.mock.calls.length]).toEqual([undefined, 1])
})

describe('the database', () => {
  test('that is not migrated, or fails, is 503, without its words; what changed is logged once', async () => {
    const away = new DatabaseError('db.internal cannot be reached', { cause: new Error('hunter2') })
    let answer: () => Promise<boolean> = async () => false
    const { till } = tillWith(() => answer())
    const warn = vi.fn()
    const health = () => healthEndpoints(till, { logger: { warn, error: warn } })
    const missing = await send(health(), '/readyz')
    expect([missing.status, parsed(missing)]).toEqual([
      503,
      { ...ready({ migrations: { ok: false, state: 'missing' } }), ok: false },
    ])
    answer = () => Promise.reject(away)
    warn.mockClear()
    const one = health()
    for (let n = 0; n < 3; n++) {
      const failed = await send(one, '/readyz')
      expect([failed.status, parsed(failed)]).toEqual([
        503,
        {
          ok: false,
          checks: ready({
            database: { ok: false, state: 'failed' },
            migrations: { ok: false, state: 'unknown' },
          }).checks,
        },
      ])
      expect(`${failed.body}`).not.toMatch(/internal|hunter2/)
    }
    expect(warn.mock.calls).toEqual([
      [{ check: 'database', state: 'failed', err: away }, 'not ready'],
      [{ check: 'migrations', state: 'unknown' }, 'not ready'],
    ])
    expect((await send(one, '/livez')).status).toBe(200)
  })

  test('that says nothing is waited for a second, by all together', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const { till, asked } = tillWith(() => promise)
    const health = healthEndpoints(till, { logger: false })
    const all = await Promise.all(Array.from({ length: 100 }, () => send(health, '/readyz')))
    for (const response of all) {
      expect(response.status).toBe(503)
      expect(parsed(response).checks.database).toEqual({ ok: false, state: 'no answer within 1 s' })
    }
    // It is not asked again while it has not answered.
    await send(health, '/readyz')
    expect(asked).toHaveBeenCalledTimes(1)
    resolve(true)
    await vi.waitUntil(async () => (await send(health, '/readyz')).status === 200, { timeout: 60_000 })
  })

  test('is read once a second at most, however many ask', async () => {
    const { till, asked } = tillWith()
    const health = healthEndpoints(till)
    const began = performance.now()
    for (let n = 0; n < 5; n++) {
      await Promise.all(Array.from({ length: 1000 }, () => send(health, '/readyz')))
    }
    const seconds = (performance.now() - began) / 1000
    expect(asked.mock.calls.length).toBeLessThanOrEqual(1 + seconds)
  })
})

describe('the worker', () => {
  const worker = async (health: ReturnType<typeof healthEndpoints>) => {
    const response = await send(health, '/readyz')
    return [response.status, parsed(response).checks.worker?.state]
  }

  test('is looked at where it runs, or has to', async () => {
    const { till } = tillWith()
    const [left, wanted, unwanted] = [undefined, true, false].map(worker => healthEndpoints(till, { worker }))
    if (!left || !wanted || !unwanted) throw new Error('unreachable')
    expect(await worker(left)).toEqual([200, 'not here'])
    expect(await worker(wanted)).toEqual([503, 'not running'])
    expect(await worker(unwanted)).toEqual([200, undefined])
    till.webhooks.start()
    expect(await worker(wanted)).toEqual([200, 'running'])
    expect(await worker(left)).toEqual([200, 'running'])
    const stopping = till.webhooks.stop()
    expect(await worker(left)).toEqual([503, 'stopping'])
    await stopping
    expect(await worker(left)).toEqual([200, 'not here'])
  })

  test('that cannot take up what is due falls behind, and catches up', async () => {
    const storage = memoryStorage()
    const { claim } = storage.deliveries
    let away = true
    storage.deliveries.claim = async request => {
      if (away) throw new DatabaseError('away')
      return claim(request)
    }
    const till = createTill({ storage, logger: false })
    till.webhooks.start()
    onTestFinished(async () => void (await till.close()))
    const health = healthEndpoints(till, { behindSeconds: 3, logger: false })
    await vi.waitUntil(async () => (await worker(health))[0] === 503, { timeout: 60_000 })
    expect((await worker(health))[1]).toMatch(/^behind by \d+ s$/)
    away = false
    await vi.waitUntil(async () => (await worker(health))[0] === 200, { timeout: 120_000 })
  })

  /** A till with eight places, and twenty merchants who have ten webhooks due at a receiver each, which answers after a while. */
  const busyTill = async (storage: Storage, answerAfter: number) => {
    const webhooks = { allowHttp: true, allowPrivateAddresses: true, concurrency: 8, timeoutSeconds: 5 }
    const till = createTill({ storage, logger: false, webhooks })
    const answer: RequestListener = (_, response) => {
      setTimeout(() => response.writeHead(200).end(), answerAfter)
    }
    const hooks = Array.from({ length: 20 }, () => createServer(answer))
    for (const hook of hooks) {
      await once(hook.listen(0, '127.0.0.1'), 'listening')
      const { port } = hook.address() as AddressInfo
      const { id } = await till.merchants.create({ name: 'Shop', webhookUrl: `http://127.0.0.1:${port}/` })
      const { code } = await till.scanCodes.create(id)
      for (let n = 0; n < 10; n++) {
        await till.payments.complete(await till.payments.start({ scanCode: code, totalAmount: 1 }))
      }
    }
    onTestFinished(async () => {
      await till.close()
      for (const hook of hooks) hook.close().closeAllConnections()
    })
    till.webhooks.start()
    return till
  }

  test('with more due than slow receivers take is well, for as long as attempts end', async () => {
    const till = await busyTill(memoryStorage(), 900)
    const health = healthEndpoints(till, { behindSeconds: 5, logger: false })
    const { standing } = till
    await vi.waitUntil(() => standing().worker.secondsBehind > 8, { timeout: 60_000 })
    expect(await worker(health)).toEqual([200, 'running'])
  })

  test('in whose places nothing ends any more falls behind, and catches up', async () => {
    const storage = memoryStorage()
    const { record } = storage.deliveries
    const back = Promise.withResolvers<void>()
    storage.deliveries.record = result => back.promise.then(() => record(result))
    const till = await busyTill(storage, 0)
    const health = healthEndpoints(till, { behindSeconds: 5, logger: false })
    await vi.waitUntil(async () => (await worker(health))[0] === 503, { timeout: 120_000 })
    expect((await worker(health))[1]).toMatch(/^behind by \d+ s$/)
    back.resolve()
    await vi.waitUntil(async () => (await worker(health))[0] === 200, { timeout: 120_000 })
  })
})

describe('a stop', () => {
  const STOPPING = { ok: false, checks: { process: { ok: false, state: 'stopping' } } }

  test('makes it unready at once, before the worker has ended, and reads nothing', async () => {
    const { till, asked } = tillWith()
    till.webhooks.start()
    const health = healthEndpoints(till)
    const waiting = send(health, '/readyz')
    const closing = till.close()
    expect(till.standing()).toMatchObject({ closing: true, worker: { state: 'stopping' } })
    for (const response of [await waiting, await send(health, '/readyz')]) {
      expect([response.status, parsed(response)]).toEqual([503, STOPPING])
    }
    expect(asked).toHaveBeenCalledTimes(1)
    await closing
    expect((await send(health, '/readyz')).status).toBe(503)
    const live = await send(health, '/livez')
    expect([live.status, parsed(live).checks.process.state]).toEqual([200, 'stopping'])
  })

  test('may be told of earlier, by a signal', async () => {
    const stopping = new AbortController()
    const health = healthEndpoints(tillWith().till, { signal: stopping.signal })
    expect((await send(health, '/readyz')).status).toBe(200)
    stopping.abort()
    expect(parsed(await send(health, '/readyz'))).toEqual(STOPPING)
  })
})

describe('checks of the host’s own', () => {
  test('count, and harm nobody when they throw, hang, or answer anything', async () => {
    const hangs = vi.fn(() => new Promise(() => {}))
    const warn = vi.fn()
    const checks = {
      redis: async () => 'PONG',
      void: () => {},
      no: () => false,
      never: async () => false,
      throws: () => {
        throw new Error('hunter2')
      },
      rejects: () => Promise.reject(undefined),
      hangs,
    }
    const health = healthEndpoints(tillWith().till, { checks, logger: { warn, error: warn } })
    for (let n = 0; n < 3; n++) {
      const response = await send(health, '/readyz')
      expect([response.status, parsed(response)]).toEqual([
        503,
        {
          ok: false,
          checks: ready({
            redis: { ok: true, state: 'ok' },
            void: { ok: true, state: 'ok' },
            no: { ok: false, state: 'failing' },
            never: { ok: false, state: 'failing' },
            throws: { ok: false, state: 'failed' },
            rejects: { ok: false, state: 'failed' },
            hangs: { ok: false, state: 'no answer within 1 s' },
          }).checks,
        },
      ])
      expect(`${response.body}`).not.toContain('hunter2')
    }
    expect(hangs).toHaveBeenCalledTimes(1)
    expect(warn.mock.calls.map(([{ check }]) => check)).toEqual(['no', 'never', 'throws', 'rejects', 'hangs'])
  })
})

test.each([
  [{ worker: 'yes' }, 'worker must be a boolean'],
  [{ behindSeconds: 0 }, 'behindSeconds must be a number of seconds above 0'],
  [{ behindSeconds: Number.POSITIVE_INFINITY }, /^behindSeconds must be/],
  [{ checks: { redis: 'redis' } }, 'checks.redis must be a function'],
  [{ checks: { worker: () => {} } }, /^checks\.worker .*is a check that there is already/],
  [{ checks: { 'a b': () => {} } }, /^checks\.a b .*must have a name of 1 to 64 of A-Za-z0-9_-/],
  [
    { checks: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`c${n}`, () => {}])) },
    'checks must be at most 20 functions',
  ],
  [{ signal: 'SIGTERM' }, 'signal must be an AbortSignal'],
  [{ logger: {} }, /^logger must be a logger/],
  [{ wroker: true }, /^wroker is not a known name of the options of healthEndpoints/],
])('refuses %j', (options, message) => {
  const { till } = tillWith()
  const making = () => healthEndpoints(till, options as never)
  expect(making).toThrow(expect.objectContaining({ code: 'invalid_input', message: expect.anything() }))
  if (typeof message === 'string') expect(making).toThrow(new RegExp(`^${message}$`))
  else expect(making).toThrow(message)
})

test('refuses what is no till', () => {
  expect(() => healthEndpoints({} as never)).toThrow('till must be what createTill returns')
})
