import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage } from '../../src/index.ts'
import { PATIENT, storageAt } from '../engines/address.ts'
import { inAShop } from '../engines/in-a-shop.ts'
import { overEveryEngine, overEveryServer } from '../engines/index.ts'
import { end, forkProgram } from '../processes/fork.ts'
import { holdConnections } from './hold-connections.ts'
import { type CuttingProxy, startProxy } from './proxy.ts'
import { byPort, serverOf } from './session.ts'
import { ALL, attempt, merchantId, NOW, startedCompleted } from './shop.ts'

/** More than a pool has connections. */
const MANY = 15

overEveryEngine(({ create }) => {
  const shop = inAShop(create)
  let storage: DatabaseStorage

  beforeEach(async () => {
    await startedCompleted(shop.storage, 2)
    storage = storageAt(shop.database.address)
  })

  afterEach(() => storage.close())

  const started = (): Promise<number>[] =>
    Array.from({ length: MANY }, async (_, n) => {
      const how = attempt({ strict: n % 2 === 0, merchantReference: `order ${n}` })
      return (await storage.payments.start(how, NOW)).payment.id
    })
  const read = (): Promise<unknown>[] => [
    ...Array.from({ length: MANY }, () => storage.payments.list(merchantId, {}, ALL)),
    ...Array.from({ length: MANY }, () => storage.payments.get({ merchantId, id: 1 })),
  ]

  test.each([
    ['nothing was called before', 0],
    ['there is a connection', 1],
    ['there are many', MANY],
  ])('calls begun as it closes are answered, or told that it is closed: %s', async (_, before) => {
    await Promise.all(Array.from({ length: before }, () => storage.merchants.get(merchantId)))
    const [starts, reads] = [started(), read()]
    const answers = Promise.allSettled([...starts, ...reads])
    await storage.close()
    for (const answer of await answers) {
      if (answer.status === 'fulfilled') continue
      expect(answer.reason).toBeInstanceOf(DatabaseError)
      expect(answer.reason.message).toBe('the storage is closed')
    }
    const ids = (await shop.storage.payments.list(merchantId, {}, ALL)).items.map(({ id }) => id)
    for (const start of await Promise.allSettled(starts)) {
      if (start.status === 'fulfilled') expect(ids).toContain(start.value)
    }
  })

  test('inside a transaction of its own it says so at once, and closes when that has ended', async () => {
    const work = storage.transaction(async inside => {
      await inside.payments.start(attempt(), NOW)
      await storage.close()
    })
    const says = 'storage.close() would wait for the transaction that it is called in'
    await expect(work).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(says),
    })
    expect((await shop.storage.payments.list(merchantId, {}, ALL)).total).toBe(2)
    expect((await storage.merchants.get(merchantId))?.id).toBe(merchantId)
    await storage.close()
    await expect(storage.merchants.get(merchantId)).rejects.toThrow('the storage is closed')
  })
})

overEveryServer(({ create }) => {
  const shop = inAShop(create)

  test('who waits for a connection as it closes has an answer, once those who have them are done', async () => {
    const storage = storageAt(shop.database.address)
    const letGo = await holdConnections(storage)
    const read = storage.merchants.get(merchantId)
    await setImmediate()
    const closing = storage.close()
    await setImmediate()
    await letGo()
    expect((await read)?.id).toBe(merchantId)
    await closing
  })

  let proxy: CuttingProxy
  let child: ChildProcess | undefined

  beforeEach(async () => {
    proxy = await startProxy(serverOf(shop.database.address))
  })

  afterEach(async () => {
    child?.kill('SIGKILL')
    await proxy.close()
  })

  test.each([
    ['', false, PATIENT],
    [', though the path to the database is dead', true, { ...PATIENT, writeTimeoutSeconds: 1 }],
  ])('a process that has closed it ends%s', async (_, dies, limits) => {
    child = forkProgram('closer.ts', { address: byPort(shop.database.address, proxy.port), limits })
    await once(child, 'message')
    if (dies) proxy.freeze()
    child.send('close')
    expect(await end(child)).toBe(0)
  })
})
