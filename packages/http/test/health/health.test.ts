import { healthEndpoints } from '@tillkit/http'
import { DatabaseError } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { describe, expect, test, vi } from 'vitest'
import { parsed, send } from '../fixture.ts'
import { tillWith } from './scene.ts'

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
  const headers = { 'x-request-id': 'mine' }
  const live = await send(health, '/livez', { secure: false, headers })
  expect(live.headers['X-Request-Id']).toBe('mine')
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

test('the till’s own logger hears of what fails where there is no other', async () => {
  const { till } = tillWith(async () => false)
  const warn = vi.fn()
  await send(healthEndpoints({ ...till, logger: { ...till.logger, warn } }), '/readyz')
  expect(warn).toHaveBeenCalledExactlyOnceWith({ check: 'migrations', state: 'missing' }, 'not ready')
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
    const { till, asked } = tillWith()
    const late = healthEndpoints(till, { signal: stopping.signal })
    expect([parsed(await send(late, '/readyz')), asked.mock.calls]).toEqual([STOPPING, []])
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
