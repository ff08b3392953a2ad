import { afterEach, expect, test, vi } from 'vitest'
import { fileTime } from '../../src/time/file-time.ts'

afterEach(() => void vi.restoreAllMocks())

/** How far it is off from the clock of this process, which is right here, in milliseconds. */
const off = () => Math.abs(fileTime().getTime() - Date.now())

test('goes on between one stamp and the next', async () => {
  const times: number[] = []
  const passed = new Set<number>()
  const end = Date.now() + 350
  for (let now = Date.now(); now < end; now = Date.now()) {
    passed.add(now)
    times.push(fileTime().getTime())
  }
  // A kernel that stamps coarsely is behind by more at one time than at another.
  expect(times.filter((time, n) => time < (times[n - 1] ?? 0) - 20)).toEqual([])
  // Of the milliseconds in which a busy machine let it ask at all.
  expect(new Set(times).size).toBeGreaterThan(passed.size / 2)
  expect(off()).toBeLessThan(1000)
})

test('a steady clock that jumps takes it nowhere', () => {
  fileTime()
  const real = performance.now()
  const steady = vi.spyOn(performance, 'now')
  for (const hours of [24, -24, 1000, 0]) {
    steady.mockReturnValue(real + hours * 3_600_000)
    expect(off()).toBeLessThan(1000)
    expect(off()).toBeLessThan(1000)
  }
})

test('the clock of the process may be wrong', () => {
  const right = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(0)
  expect(Math.abs(fileTime().getTime() - right)).toBeLessThan(1000)
})
