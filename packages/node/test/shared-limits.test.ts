import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { merchantApi } from '@tillkit/http'
import { freePort } from '@tillkit/servers'
import { memoryStorage } from '@tillkit/storage/memory'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'
import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hasRedis, startRedis } from './redis-server.ts'

const POINTS = 20

/** With CI, Redis must be there: a skipped test proves nothing. */
const runs = hasRedis || process.env.CI !== undefined

/** Where a machine stalls for longer than a limiter is waited for, its requests are rightly counted in memory: once more. */
const needsRedis = (name: string, body: () => Promise<void>) => test.skipIf(!runs)(name, { retry: 2 }, body)

/** Two processes of one host, with a database and a Redis server. */
async function twoProcesses() {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-limits-'))
  const file = join(folder, 'till.db')
  const storage = sqliteStorage({ file })
  await storage.migrate()
  const till = createTill({ storage })
  const { id } = await till.merchants.create({ name: 'Corner Café' })
  const { apiKey } = await till.apiKeys.issue(id)
  await storage.close()

  const redis = startRedis(await freePort())
  await redis.ready()
  const script = new URL('./limited-server.ts', import.meta.url)
  const children = [0, 1].map(() =>
    fork(script, [file, String(redis.port), String(POINTS)], { execArgv: ['--conditions=@tillkit/source'] }),
  )
  onTestFinished(async () => {
    for (const child of children) child.kill('SIGKILL')
    await redis.kill()
    await rm(folder, { recursive: true, maxRetries: 5 })
  })
  const ports = await Promise.all(children.map(async child => Number((await once(child, 'message'))[0])))

  /** Requests to a process, four at a time; returns how many got which status. */
  async function ask(process: number, times: number, key?: string) {
    const headers: Record<string, string> = key ? { Authorization: `Basic ${btoa(`${key}:`)}` } : {}
    const statuses: number[] = []
    let left = times
    const client = async () => {
      while (left-- > 0) {
        const response = await fetch(`http://127.0.0.1:${ports[process]}/payments`, { headers })
        await response.text()
        statuses.push(response.status)
      }
    }
    await Promise.all([client(), client(), client(), client()])
    return (status: number) => statuses.filter(each => each === status).length
  }

  return { redis, ask, apiKey }
}

needsRedis('with Redis, two processes together allow no more than one would', async () => {
  const { ask, apiKey } = await twoProcesses()
  const byAddress = await Promise.all([ask(0, POINTS), ask(1, POINTS)])
  expect(byAddress.reduce((sum, count) => sum + count(401), 0)).toBe(POINTS)
  expect(byAddress.reduce((sum, count) => sum + count(429), 0)).toBe(POINTS)
  // The address has used up its limit, in both processes, so that not even a key is looked at.
  for (const process of [0, 1]) expect((await ask(process, 1, apiKey))(429)).toBe(1)
})

needsRedis('a key has one limit in both', async () => {
  const { ask, apiKey } = await twoProcesses()
  const byKey = await Promise.all([ask(0, POINTS, apiKey), ask(1, POINTS, apiKey)])
  expect(byKey.reduce((sum, count) => sum + count(200), 0)).toBe(POINTS)
  expect(byKey.reduce((sum, count) => sum + count(429), 0)).toBe(POINTS)
})

needsRedis(
  'Redis killed in the middle: limits go on in memory, nothing hangs, and it is used when it is back',
  async () => {
    const { redis, ask, apiKey } = await twoProcesses()
    expect((await ask(0, 5, apiKey))(200)).toBe(5)

    const before = ask(0, POINTS, apiKey)
    await redis.kill()
    await before
    for (const process of [0, 1]) {
      const after = await ask(process, 2 * POINTS, apiKey)
      expect(after(200)).toBeLessThanOrEqual(POINTS)
      expect(after(200) + after(429)).toBe(2 * POINTS)
      expect((await ask(process, 1, apiKey))(429)).toBe(1)
    }

    const again = startRedis(redis.port)
    onTestFinished(() => again.kill())
    await again.ready()
    await vi.waitFor(
      async () => {
        await ask(0, 1, apiKey)
        expect(await again.size()).toBeGreaterThan(0)
      },
      { timeout: 120_000, interval: 200 },
    )
  },
)

needsRedis('Redis that hangs is not waited for', async () => {
  const { redis, ask } = await twoProcesses()
  expect((await ask(0, 1))(401)).toBe(1)
  redis.signal('SIGSTOP')
  const meanwhile = await ask(0, 2 * POINTS)
  expect(meanwhile(401)).toBeLessThanOrEqual(POINTS)
  expect(meanwhile(401) + meanwhile(429)).toBe(2 * POINTS)
  redis.signal('SIGCONT')
})

needsRedis('a burst of wrong keys is as many lookups as the limit, counted in Redis', async () => {
  const redis = startRedis(await freePort())
  const storeClient = new Redis({ port: redis.port, retryStrategy: () => 50 })
  storeClient.on('error', () => {})
  onTestFinished(async () => {
    storeClient.disconnect()
    await redis.kill()
  })
  await redis.ready()
  const till = createTill({ storage: memoryStorage(), logger: false })
  const authenticate = vi.fn(async () => null)
  const perAddress = new RateLimiterRedis({ storeClient, points: POINTS, duration: 3600 })
  const api = merchantApi({ ...till, authenticate }, { rateLimits: { perAddress } })
  const ask = async (key: number) => {
    const headers = { authorization: `Basic ${btoa(`key-${key}:`)}` }
    const body = async () => new Uint8Array()
    const remoteAddress = '203.0.113.7'
    return (
      await api({ method: 'GET', path: '/payments', query: '', headers, secure: true, remoteAddress, body })
    ).status
  }
  for (const round of [0, 1]) {
    const statuses = await Promise.all(Array.from({ length: 2000 }, (_, key) => ask(key)))
    expect(statuses.filter(status => status === 401)).toHaveLength(round === 0 ? POINTS : 0)
    expect(authenticate).toHaveBeenCalledTimes(POINTS)
  }
})
