import { expect, test } from 'vitest'
import { heldWindow } from './held-window.ts'

test('one that did not answer, and has answered another process since, is as one that nobody knows', async () => {
  const { run, answer, inFlight, started } = heldWindow(8)
  for (const merchant of ['silent', 'back', 'late']) {
    run(merchant)
    await answer(merchant, 'unanswered')
  }
  for (const merchant of ['dead-0', 'dead-1', 'silent']) run(merchant, merchant, true)
  expect(inFlight('silent')).toBe(0)
  run('back')
  expect(inFlight('back')).toBe(1)
  for (let n = 0; n < 4; n++) run(`unknown-${n}`)
  expect(started).toHaveLength(7)
  run('late')
  expect(inFlight('late')).toBe(0)
})

test('opened again, gives nobody a turn whose deliveries it has dropped', async () => {
  const { window, run, started, tick } = heldWindow(4)
  for (let n = 0; n < 20; n++) run(`m${n}`)
  window.close()
  for (const { end } of started.splice(0)) end('delivered')
  await tick()
  window.open()
  run('a')
  expect(started.map(({ merchantId }) => merchantId)).toEqual(['a'])
})
