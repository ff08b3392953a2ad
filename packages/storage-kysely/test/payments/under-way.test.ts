import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { UnderWay } from '../../src/crowds/under-way.ts'

/** Notes who goes with whom, and lets them end one after the other. */
class Noted extends UnderWay<string> {
  readonly went: [going: string, only: boolean][] = []
  readonly #ends: (() => void)[] = []
  idle = 0

  protected fitting(waiting: string[]): number {
    return Math.min(waiting.length, 3)
  }

  protected answer(going: string[], only: boolean): Promise<void> {
    this.went.push([going.join(''), only])
    return new Promise(resolve => this.#ends.push(resolve))
  }

  protected override ended(): void {
    this.idle += 1
  }

  /** Ends the one that is under way for longest, or another of them. */
  async end(n = 0): Promise<void> {
    this.#ends.splice(n, 1)[0]?.()
    for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  }

  addAll(names: string): void {
    for (const name of names) this.add(name)
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})

afterEach(() => {
  vi.useRealTimers()
})

test('two are under way at once, and what comes meanwhile goes with the next', async () => {
  const calls = new Noted()
  calls.addAll('abcdefg')
  expect(calls.went).toEqual([
    ['a', true],
    ['b', false],
  ])
  await calls.end()
  await calls.end()
  expect(calls.went.slice(2)).toEqual([
    ['cde', false],
    ['fg', false],
  ])
  await calls.end()
  expect(calls.idle).toBe(0)
  await calls.end()
  expect(calls.idle).toBe(1)
})

test('who is patient waits for what is under way, and then goes with all that wait', async () => {
  const calls = new Noted(10)
  calls.addAll('abc')
  vi.advanceTimersByTime(9)
  expect(calls.went).toEqual([['a', true]])
  await calls.end()
  expect(calls.went.slice(1)).toEqual([['bc', true]])
  calls.add('d')
  await calls.end()
  await calls.end()
  expect(calls.went.slice(2)).toEqual([['d', true]])
  expect(calls.idle).toBe(1)
  vi.advanceTimersByTime(100)
  expect(calls.went).toHaveLength(3)
})

test('patience ends, and begins with the one that went last of those under way', async () => {
  const calls = new Noted(10)
  calls.addAll('abc')
  vi.advanceTimersByTime(10)
  expect(calls.went).toEqual([
    ['a', true],
    ['bc', false],
  ])
  calls.add('d')
  vi.advanceTimersByTime(100)
  expect(calls.went).toHaveLength(2)
  // What is left went long ago: nobody waits for it.
  await calls.end(1)
  expect(calls.went.slice(2)).toEqual([['d', false]])
  await calls.end(1)
  calls.add('e')
  expect(calls.went.slice(3)).toEqual([['e', false]])
})
