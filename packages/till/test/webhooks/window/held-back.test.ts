import { expect, test } from 'vitest'
import { heldWindow } from './held-window.ts'

test('one that keeps its turn is not put off for one that is new', async () => {
  const { run, runSoon, tick } = heldWindow(8)
  let dropped = 0
  for (let n = 0; n < 100; n++) {
    run(`dead-${n}`, 'platform').then(() => {
      dropped++
    })
  }
  expect(runSoon('new', false, 'platform').off).toEqual([false])
  await tick()
  expect(dropped).toBe(0)
})

test('one that has had its turn puts off nobody who is new', () => {
  const { runSoon } = heldWindow(8)
  for (const name of ['known', ...Array.from({ length: 100 }, (_, n) => `dead-${n}`)]) {
    runSoon(name, false, 'platform')
  }
  expect(runSoon('known', false, 'platform').off).toEqual([false])
})

test('is not hungry while what waits would fill it, though those that answer have its places', async () => {
  const { window, run, answer, started } = heldWindow(8)
  for (let n = 0; n < 9; n++) {
    run(`good-${n}`)
    await answer(`good-${n}`, 'delivered')
  }
  for (let n = 0; n < 9; n++) run(`good-${n}`)
  expect(started).toHaveLength(8)
  for (let n = 0; n < 6; n++) run(`unknown-${n}`)
  expect(window.hungry()).toBe(true)
  run('unknown-6')
  expect(window.hungry()).toBe(false)
})

test('once it is full, names whoever has one waiting that cannot start', () => {
  const { window, run } = heldWindow(4)
  for (let n = 0; n < 25; n++) run(`m${n}`, 'platform')
  expect([window.full(), window.crowd()]).toEqual([false, []])
  run('m25', 'platform')
  expect([window.full(), window.crowd().length]).toEqual([true, 24])
})

test.each([false, true])(
  'names one that answers before a hundred that do not, full or not: %s',
  async full => {
    const { window, run, answer } = heldWindow(full ? 8 : 64)
    for (let n = 0; n < 220; n++) run(`dead-${n % 110}`, 'dead', true)
    for (let n = 0; n < 20; n++) {
      run('sound')
      await answer('sound', 'delivered')
    }
    for (let n = 0; n < 60; n++) run('sound')
    expect(window.full()).toBe(full)
    const crowd = window.crowd()
    expect([crowd.length, crowd[0]]).toEqual([100, 'sound'])
  },
)
