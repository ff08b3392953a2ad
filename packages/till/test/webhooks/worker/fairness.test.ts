import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { heldReceiver, receiver } from '../receiver.ts'
import { scene } from '../scene.ts'

/** A receiver at which what is posted to `/hangs…` is answered only when released, and everything else at once. */
async function platform() {
  const held: { end(): void }[] = []
  const live: string[] = []
  let arrived = Promise.withResolvers<void>()
  const hook = await receiver((response, { url }) => {
    if (url.startsWith('/hangs')) held.push({ end: () => response.writeHead(200).end() })
    else {
      live.push(url)
      response.writeHead(200).end()
      arrived.resolve()
      arrived = Promise.withResolvers()
    }
  })
  return {
    origin: `http://127.0.0.1:${hook.port}`,
    held,
    live,
    async delivered(count: number) {
      while (live.length < count) await arrived.promise
    },
    release() {
      for (const one of held.splice(0)) one.end()
    },
  }
}

/** A receiver that fails once, and does not answer then. */
async function failingOnce() {
  const held: ServerResponse[] = []
  const hook = await receiver((response, _, count) => {
    if (count === 1) response.writeHead(500).end()
    else held.push(response)
  })
  return { ...hook, held }
}

test('receivers that answer late take no more places than they began with', async () => {
  const { merchant, outcome, worker } = scene()
  const late = await Promise.all(Array.from({ length: 6 }, () => heldReceiver()))
  const live = await receiver()
  const releaseAll = () => {
    for (const { release } of late) release()
  }
  for (const [n, { url }] of late.entries()) {
    await merchant(`late-${n}`, url)
    for (let payment = 0; payment < 50; payment++) await outcome(`late-${n}`)
  }
  await merchant('live', live.url)
  const it = worker({ timeoutSeconds: 60 })
  it.start()
  for (let round = 0; round < 4; round++) {
    await Promise.all(late.map(({ got }) => got(1 + 2 * round)))
    await new Promise(resolve => setTimeout(resolve, 2100))
    releaseAll()
  }
  for (let payment = 0; payment < 20; payment++) await outcome('live')
  it.wake()
  await live.got(20)
  expect(live.received).toHaveLength(20)
  const stop = it.stop()
  const releasing = setInterval(releaseAll, 50)
  await stop
  clearInterval(releasing)
})

describe('a receiver that does not answer', () => {
  test('takes its share of the places, while the others get theirs', async () => {
    const { merchant, outcome, worker } = scene()
    const [dead, live] = [await heldReceiver(), await receiver()]
    await merchant('dead', dead.url)
    await merchant('live', live.url)
    for (let payment = 0; payment < 40; payment++) await outcome('dead')
    for (let payment = 0; payment < 40; payment++) await outcome('live')
    const it = worker({ concurrency: 8, timeoutSeconds: 60 })
    it.start()
    await live.got(40)
    expect(dead.received).toHaveLength(1)
    dead.release()
    await it.stop()
  })

  test.each([8, 64])('keeps no neighbour at its origin waiting, with %i places', async concurrency => {
    const { merchant, outcome, worker } = scene()
    const { origin, held, delivered, release } = await platform()
    await merchant('hangs', `${origin}/hangs`)
    await merchant('neighbour', `${origin}/neighbour`)
    for (let n = 0; n < 300; n++) await outcome('hangs')
    for (let n = 0; n < 50; n++) await outcome('neighbour')
    const it = worker({ concurrency, timeoutSeconds: 300 })
    it.start()
    await delivered(50)
    expect(held.length).toBeGreaterThan(0)
    expect(held.length).toBeLessThanOrEqual(Math.ceil(concurrency / 32))
    const stop = it.stop()
    release()
    await stop
  })

  test('keeps a neighbour that comes later waiting no more than one that was there', async () => {
    const { merchant, outcome, worker } = scene()
    const { origin, held, delivered, release } = await platform()
    await merchant('hangs', `${origin}/hangs`)
    await merchant('neighbour', `${origin}/neighbour`)
    for (let n = 0; n < 300; n++) await outcome('hangs')
    const it = worker({ timeoutSeconds: 300 })
    it.start()
    while (held.length === 0) await new Promise(resolve => setImmediate(resolve))
    for (let n = 0; n < 20; n++) {
      await outcome('neighbour')
      it.wake()
    }
    await delivered(20)
    const stop = it.stop()
    release()
    await stop
  })

  test('starves nobody of claims, though 10,000 of its deliveries are claimed first', async () => {
    const { merchant, outcome, worker } = scene()
    const { origin, held, delivered, release } = await platform()
    await merchant('hangs', `${origin}/hangs`)
    for (let n = 0; n < 10_000; n++) await outcome('hangs')
    for (let n = 0; n < 50; n++) {
      await merchant(`m${n}`, `${origin}/m${n}`)
      await outcome(`m${n}`)
    }
    const it = worker({ timeoutSeconds: 300 })
    it.start()
    await delivered(50)
    expect(held).toHaveLength(2)
    const stop = it.stop()
    release()
    await stop
  })
})

test('a worker that has just begun has it from the storage who has only failed, and they keep nobody out', async () => {
  const { merchant, outcome, worker, pass } = scene()
  const hooks: Awaited<ReturnType<typeof failingOnce>>[] = []
  for (let n = 0; n < 4; n++) {
    const hook = await failingOnce()
    hooks.push(hook)
    await merchant(`dead-${n}`, hook.url)
    await outcome(`dead-${n}`)
  }
  expect(await worker().deliverDue()).toEqual({ delivered: 0, failed: 4 })
  pass(60)
  const live = await receiver()
  await merchant('live', live.url)
  await outcome('live')
  const it = worker({ concurrency: 4, timeoutSeconds: 300 })
  it.start()
  await live.got(1)
  expect(hooks.filter(({ received }) => received.length > 1).length).toBeLessThanOrEqual(1)
  const stop = it.stop()
  for (const { held } of hooks) for (const response of held) response.writeHead(200).end()
  await stop
})

test('a thousand merchants that do not answer leave room for one that does', async () => {
  const { merchant, outcome, worker, pass, delivery } = scene()
  const { origin, held, release } = await platform()
  const other = await platform()
  await merchant('live', `${other.origin}/live`)
  await outcome('live')
  const it = worker({ timeoutSeconds: 300 })
  it.start()
  while ((await delivery('live'))?.state !== 'delivered') await new Promise(resolve => setImmediate(resolve))
  for (let n = 0; n < 1000; n++) {
    await merchant(`dead-${n}`, `${n % 2 === 0 ? origin : other.origin}/hangs`)
    for (let m = 0; m < 3; m++) await outcome(`dead-${n}`)
  }
  pass(1)
  for (let n = 0; n < 50; n++) await outcome('live')
  it.wake()
  await other.delivered(51)
  expect(held.length + other.held.length).toBeLessThanOrEqual(56)
  const stop = it.stop()
  release()
  other.release()
  await stop
})

test.each([1000, 2500])(
  'one that nobody knows, due behind %i of its origin that hang, waits for a handful of them',
  async count => {
    const { merchant, outcome, worker } = scene()
    const { origin, held, delivered } = await platform()
    for (let n = 0; n < count; n++) {
      await merchant(`dead-${n}`, `${origin}/hangs`)
      await outcome(`dead-${n}`)
    }
    await merchant('live', `${origin}/live`)
    await outcome('live')
    worker({ timeoutSeconds: 2 }).start()
    await delivered(1)
    // Fourteen are posted to it at a time.
    expect(held.length).toBeLessThanOrEqual(5 * 14)
  },
)

test('one that nobody knows, in the midst of a thousand that hang at other paths, waits for a handful of them', async () => {
  const { merchant, outcome, worker } = scene()
  const { origin, held, delivered } = await platform()
  for (let n = 0; n < 1000; n++) {
    if (n === 500) {
      await merchant('live', `${origin}/live`)
      await outcome('live')
    }
    await merchant(`dead-${n}`, `${origin}/hangs/${n}`)
    await outcome(`dead-${n}`)
  }
  worker({ timeoutSeconds: 2 }).start()
  await delivered(1)
  // Fourteen are posted to it at a time.
  expect(held.length).toBeLessThanOrEqual(5 * 14)
})

test('a merchant with 5,000 due keeps 50 with one each waiting for little', async () => {
  const { merchant, outcome, worker } = scene()
  const { origin, live, delivered } = await platform()
  await merchant('busy', `${origin}/busy`)
  for (let n = 0; n < 5000; n++) await outcome('busy')
  for (let n = 0; n < 50; n++) {
    await merchant(`m${n}`, `${origin}/m${n}`)
    await outcome(`m${n}`)
  }
  const it = worker()
  it.start()
  await delivered(5050)
  const lastOfOthers = live.findLastIndex(url => url !== '/busy')
  expect(lastOfOthers).toBeLessThan(2500)
  await it.stop()
})
