import { describe, expect, test } from 'vitest'
import { heldWindow } from './held-window.ts'

const COUNT = 1000

/**
 * How many time-outs one that nobody knows waits for in the midst of a thousand, of which each has three deliveries
 * waiting and answers none. What is put off comes again after each time-out, as it was due.
 */
async function timeoutsOf(
  pathOf: (n: number) => string[],
  { failing = false, originOf = (_: number): string => 'platform' } = {},
): Promise<number> {
  const { runSoon, started, tick, inFlight } = heldWindow(64)
  let due: (() => void)[] = []
  const failed = new Set<string>()
  const come = (name: string, path: string[], origin = 'platform') => {
    const again = () => come(name, path, origin)
    runSoon(name, failed.has(name), origin, () => due.push(again), path)
  }
  for (let n = 0; n < COUNT; n++) {
    if (n === COUNT / 2) come('live', ['hooks', 'live'])
    if (failing) failed.add(`dead-${n}`)
    for (let m = 0; m < 3; m++) come(`dead-${n}`, pathOf(n), originOf(n))
  }
  for (let timeouts = 0; ; timeouts++) {
    if (inFlight('live') > 0) return timeouts
    if (started.length === 0) throw new Error('nothing is in flight')
    for (const { merchantId, end } of started.splice(0)) {
      failed.add(merchantId)
      end('unanswered')
    }
    await tick()
    const again = due
    due = []
    for (const one of again) one()
  }
}

describe('one that nobody knows, in the midst of a thousand that hang', () => {
  test.each<[string, (n: number) => string[]]>([
    ['at one path', () => ['hangs']],
    ['below one path', n => ['hangs', `${n}`]],
    ['beside its own path', n => ['hooks', 'hangs', `${n}`]],
    ['deep below one path', n => ['hooks', 'a', 'b', 'c', 'd', `${n}`]],
  ])('%s, waits for one time-out or two', async (_, pathOf) => {
    expect(await timeoutsOf(pathOf)).toBeLessThanOrEqual(2)
  })

  test('and are known for it, waits for none', async () => {
    expect(await timeoutsOf(n => [`${n}`], { failing: true })).toBe(0)
  })

  test('at a path each, waits until they are through at most: ten have a place at a time', async () => {
    expect(await timeoutsOf(n => [`${n}`])).toBeLessThanOrEqual(COUNT / 10)
  })

  test('at an origin each, waits until they are through at most: forty have a place at a time', async () => {
    const originOf = (n: number) => `origin-${n}`
    expect(await timeoutsOf(() => [], { originOf })).toBeLessThanOrEqual(COUNT / 40)
  })
})
