import { expect, onTestFinished, test, vi } from 'vitest'
import { Lag } from '../../src/replicas/lag.ts'

const STEP = 100

/**
 * Whether a replica was near enough at each tenth of a second, and how often it was asked how far it has come, where it was so many milliseconds behind at each. The log grows by 1 in
 * each millisecond.
 */
async function askedFor(most: number, behind: (at: number) => number, milliseconds = 60_000) {
  const clock = vi.spyOn(performance, 'now')
  onTestFinished(() => clock.mockRestore())
  const lag = new Lag(most)
  const near: { at: number; small: boolean; asked: number }[] = []
  for (let at = 0; at < milliseconds; at += STEP) {
    clock.mockReturnValue(at)
    let asked = 0
    const followed = {
      place: async () => ({ log: 'a', position: `${at}` }),
      hasReached: async ({ position }: { position: string }) => {
        asked += 1
        return Number(position) <= at - behind(at)
      },
    }
    const small = lag.isSmall(followed)
    // A look is over before the next call.
    await new Promise(resolve => setImmediate(resolve))
    near.push({ at, small, asked })
  }
  return near
}

test.each([1, 2, 3])(
  'a replica that is %i seconds behind all the while, and may be five, is asked all the while',
  async seconds => {
    const near = await askedFor(5, () => seconds * 1000)
    expect(near.filter(({ at, small }) => at > 6000 && !small)).toEqual([])
  },
)

test('one that is further behind than it may be is never asked, whether it catches up later or not', async () => {
  const behind = (at: number) => (at < 30_000 ? 5500 : 500)
  const near = await askedFor(5, behind)
  expect(near.filter(({ at, small }) => at < 30_000 && small)).toEqual([])
  expect(near.filter(({ at, small }) => at > 31_500 && !small)).toEqual([])
})

test('one that falls behind is asked until it is further behind than it may be, and no longer', async () => {
  // From ten seconds on nothing reaches it.
  const near = await askedFor(5, at => Math.max(0, at - 10_000), 20_000)
  expect(near.filter(({ at, small }) => at > 2000 && at < 13_500 && !small)).toEqual([])
  expect(near.filter(({ at, small }) => at > 15_000 && small)).toEqual([])
})

test('one that stands still for ten minutes is asked no more at each look', async () => {
  const near = await askedFor(60, at => at, 600_000)
  expect(Math.max(...near.map(({ asked }) => asked))).toBeLessThan(20)
})
