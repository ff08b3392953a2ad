import { expect, test } from 'vitest'
import { MostUsed } from '../../../src/citus/shards/most-used.ts'

const MOST = 4
const names = (count: number) => Array.from({ length: count }, (_, n) => `statement ${n}`)
const keptOf = (plans: MostUsed, all: string[]) => all.filter(name => plans.use(name))
const times = (count: number, work: () => unknown) => {
  for (let n = 0; n < count; n++) work()
}

test('those that come first are kept, as long as all are used alike', () => {
  const plans = new MostUsed(MOST)
  const all = names(12)
  times(1000, () => expect(keptOf(plans, all)).toEqual(all.slice(0, MOST)))
})

test('one that is used far more takes the place of the one that is used least', () => {
  const plans = new MostUsed(MOST)
  const [first = '', second = '', third = '', fourth = '', late = ''] = names(5)
  for (const name of [first, second, third, fourth]) plans.use(name)
  times(100, () => {
    for (const name of [first, third, fourth, late, late, late]) plans.use(name)
  })
  expect(keptOf(plans, [first, second, third, fourth, late])).toEqual([first, third, fourth, late])
})

test('what was used long ago gives its place up', () => {
  const plans = new MostUsed(MOST)
  const [before, since] = [names(MOST), names(2 * MOST).slice(MOST)]
  times(10_000, () => keptOf(plans, before))
  times(10_000, () => keptOf(plans, since))
  expect(keptOf(plans, since)).toEqual(since)
})
