import { healthEndpoints } from '@tillkit/http'
import { expect, test } from 'vitest'
import { tillWith } from './scene.ts'

test.each([
  [{ worker: 'yes' }, 'worker must be a boolean'],
  [{ behindSeconds: 0 }, 'behindSeconds must be a number of seconds above 0'],
  [{ behindSeconds: Number.POSITIVE_INFINITY }, /^behindSeconds must be/],
  [{ checks: { redis: 'redis' } }, 'checks.redis must be a function'],
  ...['process', 'database', 'migrations', 'worker'].map((name): [object, RegExp] => [
    { checks: { [name]: () => {} } },
    new RegExp(`^checks\\.${name} .*is a check that there is already`),
  ]),
  [{ checks: { 'a b': () => {} } }, /^checks\.a b .*must have a name of 1 to 64 of A-Za-z0-9_-/],
  [
    { checks: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`c${n}`, () => {}])) },
    'checks must be at most 20 functions',
  ],
  [{ signal: 'SIGTERM' }, 'signal must be an AbortSignal'],
  [{ logger: {} }, /^logger must be a logger/],
  [{ wroker: true }, /^wroker is not a known name of the options of healthEndpoints/],
])('refuses %j', (options, message) => {
  const { till } = tillWith()
  const making = () => healthEndpoints(till, options as never)
  expect(making).toThrow(expect.objectContaining({ code: 'invalid_input', message: expect.anything() }))
  if (typeof message === 'string') expect(making).toThrow(new RegExp(`^${message}$`))
  else expect(making).toThrow(message)
})

test('refuses what is no till', () => {
  expect(() => healthEndpoints({} as never)).toThrow('till must be what createTill returns')
})

test('takes as much as it says', () => {
  const checks = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`c${n}`, () => {}]))
  expect(() => healthEndpoints(tillWith().till, { checks, behindSeconds: 31_536_000 })).not.toThrow()
})
