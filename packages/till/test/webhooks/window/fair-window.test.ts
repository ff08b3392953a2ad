import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { heldWindow, type Outcome } from './held-window.ts'

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

  test('a late answer earns a place as well while most of them are free', async () => {
    const { run, answer, inFlight } = heldWindow(64)
    for (let index = 0; index < 100; index++) run('a')
    for (let round = 0; round < 4; round++) await answer('a', 'delivered late')
    expect(inFlight('a')).toBe(12)
  })

  test('it costs one once half are taken, down to the share that a merchant begins with', async () => {
    const { run, answer, inFlight } = heldWindow(64)
    for (const merchant of ['a', 'b', 'c', 'd']) {
      for (let index = 0; index < 200; index++) run(merchant)
      for (let round = 0; round < 4; round++) await answer(merchant, 'answered')
      expect(inFlight(merchant)).toBe(12)
    }
    await answer('a', 'delivered late')
    expect(inFlight('a')).toBe(2)
    await answer('a', 'answered late')
    expect(inFlight('a')).toBe(2)
    await answer('a', 'delivered')
    expect(inFlight('a')).toBe(4)
  })

  test('those that answer late leave places to those that do not, however many they are', async () => {
    const { run, answer, inFlight, started } = heldWindow(64)
    run('good')
    await answer('good', 'delivered')
    for (let n = 0; n < 100; n++) {
      run(`late-${n}`)
      await answer(`late-${n}`, 'delivered')
    }
    for (let n = 0; n < 100; n++) for (let m = 0; m < 3; m++) run(`late-${n}`)
    for (let round = 0; round < 10; round++)
      for (let n = 0; n < 100; n++) await answer(`late-${n}`, 'delivered late')
    for (let n = 0; n < 100; n++) for (let m = 0; m < 3; m++) run(`late-${n}`)
    expect(started).toHaveLength(56)
    for (let n = 0; n < 10; n++) run('good')
    expect(inFlight('good')).toBe(3)
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
    for (const n of [0, 1]) {
      started[n]?.end('delivered')
      await tick()
      // Once for each crowd that was named.
      expect(rooms()).toBe(1)
    }
    expect(window.crowd()).toEqual([])
  })

  test('rings when it is full no more, though it was hungry all along', async () => {
    const { window, run, answer, rooms } = heldWindow(4)
    for (let n = 0; n < 25; n++) run('silent', 'origin', true)
    expect([window.hungry(), window.full()]).toEqual([true, true])
    const before = rooms()
    await answer('silent', 'unanswered')
    expect([window.hungry(), window.full(), rooms() - before]).toEqual([true, false, 1])
  })

  test('names a hundred at most, and takes no more than it can hold', () => {
    const { window, run, runSoon } = heldWindow(8)
    for (let n = 0; n < 500; n++) for (let m = 0; m < 3; m++) run(`dead-${n}`, `dead-${n}`, true)
    expect(window.crowd()).toHaveLength(100)
    expect([window.full(), window.hungry()]).toEqual([true, true])
    expect(runSoon('dead-400', true).off).toEqual([true])
    expect(runSoon('live').off).toEqual([])
    expect(runSoon('live').off).toEqual([false])
  })

  test('has room for one that nobody knows beside whatever waits for those that do not answer', () => {
    const { runSoon } = heldWindow(8)
    for (let n = 0; n < 100; n++) runSoon(`dead-${n}`, true)
    expect(runSoon('dead', true).off).toEqual([true])
    for (let n = 0; n < 60; n++) expect(runSoon(`unknown-${n}`).off).toEqual([])
    for (let n = 60; n < 100; n++) runSoon(`unknown-${n}`)
    expect(runSoon('unknown-99').off).toEqual([false])
  })

  test('has room left for one that answers when it has none for those that nobody knows', async () => {
    const { run, runSoon, answer } = heldWindow(8)
    run('good')
    await answer('good', 'delivered')
    for (let n = 0; n < 300; n++) runSoon(`unknown-${n}`)
    expect(runSoon('unknown').off).toEqual([false])
    for (let n = 0; n < 10; n++) expect(runSoon('good').off).toEqual([])
  })

  test('every other turn is for whoever came last, of those that have not answered', async () => {
    const { run, started, tick } = heldWindow(64)
    for (let n = 0; n < 1000; n++) run(`dead-${n}`, 'platform')
    expect(started).toHaveLength(14)
    run('last', 'platform')
    for (const { end } of started.splice(0, 2)) end('unanswered')
    await tick()
    expect(started.slice(12).map(({ merchantId }) => merchantId)).toEqual(['dead-14', 'last'])
    for (let n = 0; n < 20; n++) run(`later-${n}`, 'elsewhere')
    run('latest', 'platform')
    for (const { end } of started.splice(0, 4)) end('unanswered')
    await tick()
    const atPlatform = started.filter(({ origin }) => origin === 'platform').slice(10)
    expect(atPlatform.map(({ merchantId }) => merchantId)).toEqual([
      'dead-15',
      'latest',
      'dead-16',
      'dead-999',
    ])
  })

  test('of more than it holds, the first and the last to come stay, however often the others come again', async () => {
    const { runSoon, started, tick } = heldWindow(8)
    const waits = new Map<string, boolean>()
    const come = (name: string) => {
      waits.set(name, true)
      runSoon(name, false, 'platform', () => waits.set(name, false))
    }
    for (let n = 0; n < 500; n++) come(`dead-${n}`)
    for (let round = 0; round < 5; round++) {
      for (const [name, isWaiting] of [...waits]) if (!isWaiting) come(name)
      expect([...waits.values()].filter(Boolean).length).toBeLessThanOrEqual(67)
      expect(waits.get('dead-499')).toBe(true)
    }
    started[0]?.end('unanswered')
    started[1]?.end('unanswered')
    await tick()
    expect(started.slice(2).map(({ merchantId }) => merchantId)).toEqual(['dead-2', 'dead-499'])
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
    outcome: fc.constantFrom<Outcome>(
      ...(['delivered', 'delivered late', 'answered', 'answered late', 'unanswered', 'unasked'] as const),
    ),
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
