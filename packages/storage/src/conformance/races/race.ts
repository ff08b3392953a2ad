import type { Payment } from '@tillkit/domain'
import { at } from '../scene.ts'
import type { Expect } from '../test-runner.ts'

export const times = <Result>(count: number, work: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

export const count = <Item>(items: Item[], item: Item) => items.filter(one => one === item).length

export const oneTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1)

/** A clock that steps back and forth. */
export const wobbling = (n: number) => at(((n * 7) % 20) - 10)

/** Checks that ids run 1, 2, 3 … and dates go with them. */
export function idsHaveNoGap(expect: Expect, payments: Payment[]): void {
  const byId = payments.toSorted((a, b) => a.id - b.id)
  expect(byId.map(({ id }) => id)).toEqual(oneTo(byId.length))
  const dates = byId.map(({ date }) => date)
  expect(dates).toEqual(dates.toSorted())
}
