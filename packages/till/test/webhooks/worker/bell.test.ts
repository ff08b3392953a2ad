import { beforeEach, expect, test, vi } from 'vitest'
import { createBell } from '../../../src/webhooks/worker/bell.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  return () => vi.useRealTimers()
})

test('one ring ends the waits of all who wait, and nothing of them stays', async () => {
  const bell = createBell()
  const waits = [bell.wait(1000), bell.wait(30_000, bell.rings()), bell.wait(1000)]
  expect(vi.getTimerCount()).toBe(3)
  bell.ring()
  await Promise.all(waits)
  expect(vi.getTimerCount()).toBe(0)
})

test('who took the count before a look waits for no ring that came since, and else for the next', async () => {
  const bell = createBell()
  const before = bell.rings()
  bell.ring()
  await bell.wait(1000, before)
  let isOver = false
  const wait = bell.wait(1000).then(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(999)
  expect(isOver).toBe(false)
  bell.ring()
  await wait
})

test('where nobody rings a wait ends by itself', async () => {
  const wait = createBell().wait(1000)
  await vi.advanceTimersByTimeAsync(1000)
  await wait
  expect(vi.getTimerCount()).toBe(0)
})
