import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFairWindow } from '../../../src/webhooks/window/fair-window.ts'

type Outcome = 'delivered' | 'answered' | 'unanswered' | 'unasked'
interface Started {
  origin: string
  merchantId: string
  end: (outcome: Outcome) => void
}

/** A window whose attempts end when told to. */
function heldWindow(places: number) {
  let rooms = 0
  const window = createFairWindow(places, () => {
    rooms++
  })
  const started: Started[] = []
  const run = (merchantId: string, origin = merchantId, failing = false) =>
    window.run({ origin, merchantId, failing }, () => {
      const { promise, resolve } = Promise.withResolvers<Outcome>()
      started.push({ origin, merchantId, end: resolve })
      return promise
    })
  const tick = () => new Promise(resolve => setImmediate(resolve))
  /** Ends all that are in flight of a merchant, as often as it is given. */
  const answer = async (merchantId: string, outcome: Outcome) => {
    for (const one of started.splice(0)) {
      if (one.merchantId === merchantId) one.end(outcome)
      else started.push(one)
    }
    await tick()
  }
  const inFlight = (merchantId: string) => started.filter(one => one.merchantId === merchantId).length
  return { window, run, started, tick, answer, inFlight, rooms: () => rooms }
}

describe('the window', () => {
  test('gives places in turn, however much one of them has waiting', async () => {
    const { run, started, tick } = heldWindow(4)
    for (let index = 0; index < 10; index++) run('a')
    for (const merchant of ['b', 'c', 'd', 'e', 'b']) run(merchant)
    expect(started.map(({ merchantId }) => merchantId)).toEqual(['a', 'b', 'c', 'd'])
    started[0]?.end('delivered')
    await tick()
    expect(started.map(({ merchantId }) => merchantId).slice(4)).toEqual(['e'])
    started[1]?.end('delivered')
    await tick()
    expect(started.map(({ merchantId }) => merchantId).slice(5)).toEqual(['a'])
  })

  test('gives merchants of one origin their turns', async () => {
    const { run, started, tick } = heldWindow(8)
    for (let index = 0; index < 10; index++) run('a', 'platform')
    for (const merchant of ['b', 'c', 'd']) run(merchant, 'platform')
    for (let ended = 0; ended < 6; ended++) {
      started[ended]?.end('delivered')
      await tick()
    }
    expect(started.slice(0, 5).map(({ merchantId }) => merchantId)).toEqual(['a', 'b', 'c', 'd', 'a'])
  })

  test('a merchant begins with a small share, and each answer earns it one more place', async () => {
    const { run, tick, answer, inFlight } = heldWindow(64)
    for (let index = 0; index < 100; index++) run('a')
    expect(inFlight('a')).toBe(2)
    await answer('a', 'answered')
    expect(inFlight('a')).toBe(4)
    await answer('a', 'delivered')
    expect(inFlight('a')).toBe(8)
    await answer('a', 'delivered')
    expect(inFlight('a')).toBe(12)
    await answer('a', 'unasked')
    await tick()
    expect(inFlight('a')).toBe(12)
    await answer('a', 'unanswered')
    expect(inFlight('a')).toBe(2)
  })

  test('one that does not answer leaves its neighbours theirs', async () => {
    const { run, answer, inFlight } = heldWindow(64)
    for (let index = 0; index < 300; index++) run('hangs', 'platform')
    for (let index = 0; index < 100; index++) run('neighbour', 'platform')
    for (let round = 0; round < 4; round++) await answer('neighbour', 'delivered')
    expect([inFlight('hangs'), inFlight('neighbour')]).toEqual([2, 12])
    await answer('hangs', 'unanswered')
    expect(inFlight('hangs')).toBe(2)
  })

  test('one that answered and then hangs never has the last place of its origin', async () => {
    const { run, answer, inFlight } = heldWindow(64)
    for (let index = 0; index < 100; index++) run('a', 'platform')
    for (let round = 0; round < 4; round++) await answer('a', 'delivered')
    expect(inFlight('a')).toBe(12)
    for (let index = 0; index < 100; index++) run('b', 'platform')
    for (let round = 0; round < 3; round++) await answer('b', 'delivered')
    expect([inFlight('a'), inFlight('b')]).toEqual([12, 4])
  })

  test.each([
    ['at one origin', () => 'platform', 4],
    ['at an origin each', (merchant: string) => merchant, 16],
  ])('a thousand that are known not to answer, %s, share a quarter', (_, originOf, most) => {
    const { run, started } = heldWindow(64)
    for (let n = 0; n < 1000; n++) run(`dead-${n}`, originOf(`dead-${n}`), true)
    expect(started).toHaveLength(most)
  })

  test('one at many origins gets no more than one merchant may have', () => {
    const { run, inFlight } = heldWindow(64)
    for (let n = 0; n < 1000; n++) run('wanders', `origin-${n}`)
    expect(inFlight('wanders')).toBe(12)
  })

  test('places are kept for those that answer, however many nobody knows come before', async () => {
    const { run, answer, inFlight, started } = heldWindow(64)
    run('good')
    await answer('good', 'delivered')
    for (let n = 0; n < 1000; n++) run(`dead-${n}`)
    expect(started).toHaveLength(56)
    for (let n = 0; n < 10; n++) run('good')
    expect(inFlight('good')).toBe(3)
  })

  test('is hungry while what waits could not start, names the crowd and rings when it thins out', async () => {
    const { window, run, started, tick, rooms } = heldWindow(8)
    for (let index = 0; index < 5; index++) run('a')
    expect(window.hungry()).toBe(true)
    expect(window.crowd()).toEqual(['a'])
    expect(rooms()).toBe(0)
    started[0]?.end('delivered')
    await tick()
    expect(window.crowd()).toEqual([])
    expect(rooms()).toBe(1)
  })

  test('names a hundred at most, and takes no more than it can hold', () => {
    const { window, run } = heldWindow(8)
    for (let n = 0; n < 500; n++) for (let m = 0; m < 3; m++) run(`dead-${n}`, `dead-${n}`, true)
    expect(window.crowd()).toHaveLength(100)
    expect([window.full(), window.hungry()]).toEqual([true, true])
    const never = () => new Promise<'delivered'>(() => {})
    const of = (merchantId: string, failing: boolean) => ({ origin: merchantId, merchantId, failing })
    expect(window.runSoon(of('dead-400', true), never)).toEqual({ silent: true })
    expect(window.runSoon(of('live', false), never)).toHaveProperty('outcome')
    expect(window.runSoon(of('live', false), never)).toEqual({ silent: false })
  })

  test('has room for one that nobody knows beside whatever waits for those that do not answer', () => {
    const { window } = heldWindow(8)
    const never = () => new Promise<'delivered'>(() => {})
    const runSoon = (merchantId: string, failing: boolean) =>
      window.runSoon({ origin: merchantId, merchantId, failing }, never)
    for (let n = 0; n < 100; n++) runSoon(`dead-${n}`, true)
    expect(runSoon('dead', true)).toEqual({ silent: true })
    for (let n = 0; n < 60; n++) expect(runSoon(`unknown-${n}`, false)).toHaveProperty('outcome')
    for (let n = 60; n < 100; n++) runSoon(`unknown-${n}`, false)
    expect(runSoon('unknown', false)).toEqual({ silent: false })
  })

  test('closed, drops what waits and what would have to', async () => {
    const { window, run, started, tick } = heldWindow(4)
    const [first, second] = [run('a'), run('a')]
    window.close()
    expect(await second).toBe(null)
    expect(await run('a')).toBe(null)
    const other = run('b')
    expect(started.map(({ merchantId }) => merchantId)).toEqual(['a', 'b'])
    for (const { end } of started) end('delivered')
    expect(await Promise.all([first, other])).toEqual(['delivered', 'delivered'])
    window.open()
    await tick()
    const again = run('a')
    started[2]?.end('answered')
    expect(await again).toBe('answered')
  })
})

test('whatever comes and goes: no share is exceeded, and in the end everything had its turn', async () => {
  const merchants = ['a', 'b', 'c', 'd', 'e']
  const origins = ['one', 'two', 'three']
  const arrival = fc.record({
    merchant: fc.constantFrom(...merchants),
    origin: fc.constantFrom(...origins),
    failing: fc.boolean(),
  })
  const ending = fc.record({
    which: fc.nat(),
    outcome: fc.constantFrom<Outcome>('delivered', 'answered', 'unanswered', 'unasked'),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(1, 2, 4, 8, 16, 64),
      fc.array(fc.oneof(arrival, ending), { maxLength: 200 }),
      async (places, steps) => {
        const { run, started, tick } = heldWindow(places)
        const runs: Promise<unknown>[] = []
        const [share, most] = [Math.min(places, Math.max(2, Math.ceil(places / 4))), places]
        const end = async (which: number, outcome: Outcome) => {
          const [one] = started.splice(which % started.length, 1)
          one?.end(outcome)
          await tick()
        }
        for (const step of steps) {
          if ('merchant' in step) runs.push(run(step.merchant, step.origin, step.failing))
          else if (started.length > 0) await end(step.which, step.outcome)
          expect(started.length).toBeLessThanOrEqual(most)
          for (const origin of origins) {
            expect(started.filter(one => one.origin === origin).length).toBeLessThanOrEqual(share)
          }
        }
        while (started.length > 0) await end(0, 'unanswered')
        await Promise.all(runs)
      },
    ),
    { numRuns: 100 },
  )
})
