import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { healthEndpoints } from '@tillkit/http'
import { DatabaseError, type Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parsed, send } from '../fixture.ts'
import { tillWith } from './scene.ts'

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

  test('that does not get on for ten minutes is behind, by what is due for longest', async () => {
    const { till } = tillWith()
    const standing = till.standing()
    const still = (secondsStill: number) => {
      const behind = { ...standing.worker, state: 'running' as const, secondsBehind: 700.9, secondsStill }
      return healthEndpoints(
        { ...till, standing: () => ({ ...standing, worker: behind }) },
        { logger: false },
      )
    }
    expect(await worker(still(599))).toEqual([200, 'running'])
    expect(await worker(still(600))).toEqual([503, 'behind by 700 s'])
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
