import { expect, onTestFinished, test, vi } from 'vitest'
import { storageClock } from '../../src/clock/storage-clock.ts'

const START = Date.parse('2026-11-20T09:30:00.000Z')

test('a storage whose clock is coarse puts nothing into the future that was dated a moment ago', async () => {
  const machine = { wall: START, steady: 5_000_000 }
  vi.spyOn(Date, 'now').mockImplementation(() => machine.wall)
  vi.spyOn(performance, 'now').mockImplementation(() => machine.steady)
  onTestFinished(() => void vi.restoreAllMocks())
  const quiet = () => {}
  const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet }
  let time = START
  const clock = storageClock(async () => new Date(time), { logger, mayAsk: true })
  expect((await clock.now()).getTime()).toBe(START)
  machine.wall += 100
  machine.steady += 100
  expect((await clock.now()).getTime()).toBe(START + 100)
  time = START + 60
  expect((await clock.asked()).getTime()).toBe(START + 100)
  // By more than a grain: it was set back.
  time = START + 20
  expect((await clock.asked()).getTime()).toBe(START + 20)
})
