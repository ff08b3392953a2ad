import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { healthEndpoints } from '@tillkit/http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parsed, send } from '../fixture.ts'
import { tillWith } from './scene.ts'

test('a database that never answers is asked again after half a minute, and once, though an old answer comes in', async () => {
  const answers: ((migrated: boolean) => void)[] = []
  const { till, asked } = tillWith(() => new Promise(resolve => answers.push(resolve)))
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const health = healthEndpoints(till, { logger: false })
  const status = async () => {
    const answer = send(health, '/readyz')
    await setImmediate()
    vi.advanceTimersByTime(1000)
    return (await answer).status
  }
  expect([await status(), asked.mock.calls.length]).toEqual([503, 1])
  vi.advanceTimersByTime(28_000)
  expect([await status(), asked.mock.calls.length]).toEqual([503, 1])
  expect([await status(), asked.mock.calls.length]).toEqual([503, 2])
  answers[0]?.(true)
  await setImmediate()
  expect([await status(), asked.mock.calls.length]).toEqual([503, 2])
  answers[1]?.(true)
  await setImmediate()
  const last = send(health, '/readyz')
  answers[2]?.(true)
  expect([(await last).status, asked.mock.calls.length]).toEqual([200, 3])
})

test('an answer that came in while this process stood still is not late', async () => {
  const standStill = () => {
    const end = performance.now() + 1300
    while (performance.now() < end);
  }
  /** What the operating system tells of, as it does of an answer over a network. */
  const check = () =>
    new Promise(resolve => {
      randomBytes(8, resolve)
      process.nextTick(standStill)
    })
  const response = await send(healthEndpoints(tillWith().till, { checks: { redis: check } }), '/readyz')
  expect(parsed(response).checks.redis).toEqual({ ok: true, state: 'ok' })
})

test('what is well again is told once, without its error, and what fails once more is told anew', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const away = new Error('away')
  let fails = true
  const redis = () => {
    if (fails) throw away
  }
  const warn = vi.fn()
  const health = healthEndpoints(tillWith().till, { checks: { redis }, logger: { warn, error: warn } })
  for (const failing of [true, true, false, false, true]) {
    fails = failing
    expect((await send(health, '/readyz')).status).toBe(failing ? 503 : 200)
    vi.advanceTimersByTime(1001)
  }
  const failed = [{ check: 'redis', state: 'failed', err: away }, 'not ready']
  expect(warn.mock.calls).toEqual([failed, [{ check: 'redis', state: 'ok' }, 'ready again'], failed])
  expect(warn.mock.calls[1]?.[0]).not.toHaveProperty('err')
})
