import { describe, expect, test } from 'vitest'
import { createFairWindow } from '../../src/webhooks/fair-window.ts'
import { heldReceiver, receiver } from './receiver.ts'
import { scene } from './scene.ts'

describe('a receiver that does not answer', () => {
  test('takes a quarter of the places, while the others get theirs', async () => {
    const { merchant, outcome, worker } = scene()
    const [dead, live] = [await heldReceiver(), await receiver()]
    await merchant('dead', dead.url)
    await merchant('live', live.url)
    for (let payment = 0; payment < 40; payment++) await outcome('dead')
    for (let payment = 0; payment < 40; payment++) await outcome('live')
    const it = worker({ concurrency: 8, timeoutSeconds: 60 })
    it.start()
    await live.got(40)
    expect(dead.received).toHaveLength(2)
    dead.release()
    const stop = it.stop()
    await stop
  })

  test('holds up nobody, however much is due for it', async () => {
    const { merchant, outcome, worker, clock } = scene()
    const [dead, live] = [await heldReceiver(), await receiver()]
    await merchant('dead', dead.url)
    await merchant('live', live.url)
    for (let payment = 0; payment < 5000; payment++) await outcome('dead')
    for (let payment = 0; payment < 50; payment++) await outcome('live')
    const it = worker({ concurrency: 8, timeoutSeconds: 60 })
    it.start()
    await live.got(50)
    expect(dead.received).toHaveLength(2)
    expect(clock()).toEqual(new Date('2026-11-20T09:30:00.000Z'))
    const stop = it.stop()
    dead.release()
    await stop
  })
})

/** A window whose attempts end when told to. */
function heldWindow(places: number) {
  let rooms = 0
  const window = createFairWindow(places, () => {
    rooms++
  })
  const started: { receiver: string; end: (outcome: 'delivered' | 'answered' | 'unanswered') => void }[] = []
  const run = (receiver: string) =>
    window.run({ receiver, merchantId: receiver }, () => new Promise(end => started.push({ receiver, end })))
  const tick = () => new Promise(resolve => setImmediate(resolve))
  return { window, run, started, tick, rooms: () => rooms }
}

describe('the window', () => {
  test('gives places in turn, however much one of them has waiting', async () => {
    const { run, started, tick } = heldWindow(4)
    for (let index = 0; index < 10; index++) run('a')
    for (const receiver of ['b', 'c', 'd', 'e', 'b']) run(receiver)
    expect(started.map(({ receiver }) => receiver)).toEqual(['a', 'b', 'c', 'd'])
    started[0]?.end('delivered')
    await tick()
    expect(started.map(({ receiver }) => receiver).slice(4)).toEqual(['e'])
    started[1]?.end('delivered')
    await tick()
    expect(started.map(({ receiver }) => receiver).slice(5)).toEqual(['a'])
  })

  test('gives a receiver that did not answer a small share until it answers', async () => {
    const { run, started, tick } = heldWindow(64)
    for (let index = 0; index < 20; index++) run('a')
    expect(started).toHaveLength(16)
    for (const { end } of started.slice()) end('unanswered')
    await tick()
    expect(started).toHaveLength(18)
    for (let index = 0; index < 20; index++) run('a')
    started[16]?.end('answered')
    await tick()
    expect(started).toHaveLength(16 + 1 + 16)
  })

  test('is hungry while what waits could not start, names the crowd and rings when it thins out', async () => {
    const { window, run, started, tick, rooms } = heldWindow(8)
    for (let index = 0; index < 6; index++) run('a')
    expect(window.hungry()).toBe(true)
    expect(window.crowd()).toEqual(['a'])
    expect(rooms()).toBe(0)
    started[0]?.end('delivered')
    await tick()
    expect(window.crowd()).toEqual([])
    expect(rooms()).toBe(1)
  })

  test('closed, drops what waits and what would have to', async () => {
    const { window, run, started, tick } = heldWindow(4)
    const [first, second] = [run('a'), run('a')]
    window.close()
    expect(await second).toBe(null)
    expect(await run('a')).toBe(null)
    const other = run('b')
    expect(started.map(({ receiver }) => receiver)).toEqual(['a', 'b'])
    for (const { end } of started) end('delivered')
    expect(await Promise.all([first, other])).toEqual(['delivered', 'delivered'])
    window.open()
    await tick()
    const again = run('a')
    started[2]?.end('answered')
    expect(await again).toBe('answered')
  })
})
