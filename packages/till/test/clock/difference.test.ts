import { expect, test } from 'vitest'
import { watchDifference } from '../../src/clock/difference.ts'

/** What is logged of samples at which this machine is so many milliseconds ahead of the storage's earliest time. */
function logged(...samples: [ahead: number, roundTrip: number][]) {
  const said: [string, unknown][] = []
  const quiet = () => {}
  const log = (level: string) => (fields: object) => {
    said.push([level, 'seconds' in fields ? fields.seconds : undefined])
  }
  const watch = watchDifference({ debug: quiet, error: quiet, warn: log('warn'), info: log('info') })
  const earliest = Date.parse('2026-11-20T09:30:00.000Z')
  for (const [ahead, roundTrip] of samples) {
    watch({ earliest, roundTrip, answered: { wall: earliest + ahead, steady: 0 } })
  }
  return said
}

test('a clock is wrong above two seconds, and right again below one', () => {
  expect(logged([2000, 0], [2100, 0], [3000, 0], [1000, 0], [900, 0], [900, 0])).toEqual([
    ['warn', 2.1],
    ['info', 0.9],
  ])
  expect(logged([-2000, 0], [-2100, 0], [-1000, 0], [-900, 0])).toEqual([
    ['warn', -2.1],
    ['info', -0.9],
  ])
})

test('it is not blamed for what the answer was late', () => {
  expect(logged([2400, 500], [2600, 500])).toEqual([['warn', 2.1]])
  expect(logged([2400, Number.POSITIVE_INFINITY])).toEqual([['warn', 2.4]])
})
