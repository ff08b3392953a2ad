import { expect, test } from 'vitest'
import { createPutOff } from '../../../src/webhooks/worker/put-off.ts'

/** What is put off at four places, and for how many seconds each time. */
function scene() {
  const released: [count: number, seconds: number][] = []
  const putOff = createPutOff({
    release: async (leases, at) => void released.push([leases.length, at.getTime() / 1000]),
    now: async () => new Date(0),
    timeoutSeconds: 15,
    places: 4,
  })
  const add = (count: number, silent = false) => {
    for (let n = 0; n < count; n++) putOff.add({ merchantId: 'm1', paymentId: n, fence: 1 }, silent)
  }
  return { putOff, add, released }
}

test('what waits for those that do not answer is due again when four attempts may have been made', async () => {
  const { putOff, add, released } = scene()
  add(3, true)
  add(2)
  await putOff.done(false)
  expect(released).toEqual([
    [3, 60],
    [2, 1],
  ])
})

test('the rest is due the later the more was put off before it in one pass over what is due', async () => {
  const { putOff, add, released } = scene()
  for (const more of [true, true, false, true, false]) {
    add(32)
    await putOff.done(more)
  }
  // Sixteen are sent in a second.
  expect(released.map(([, seconds]) => seconds)).toEqual([1, 3, 5, 1, 3])
})

test('nor does what waits for those that do not answer put off the rest', async () => {
  const { putOff, add, released } = scene()
  for (const more of [true, false]) {
    add(32, true)
    add(16)
    await putOff.done(more)
  }
  expect(released.map(([, seconds]) => seconds)).toEqual([60, 1, 62, 2])
})

test('nor is it all due again at once, which would be claimed before what is new', async () => {
  const { putOff, add, released } = scene()
  for (const more of [true, true, false, true]) {
    add(32, true)
    await putOff.done(more)
  }
  expect(released.map(([, seconds]) => seconds)).toEqual([60, 62, 64, 60])
})

test('what was put off is given back once', async () => {
  const { putOff, add, released } = scene()
  await putOff.done(true)
  add(1)
  add(1, true)
  await putOff.done(false)
  await putOff.done(false)
  expect(released).toHaveLength(2)
})

test('and so is what was put off while that was being given back', async () => {
  const gone = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const released: number[][] = []
  const putOff = createPutOff({
    async release(leases) {
      const number = released.push(leases.map(({ paymentId }) => paymentId))
      await gone[number - 1]?.promise
    },
    now: async () => new Date(0),
    ...{ timeoutSeconds: 15, places: 4 },
  })
  const add = (paymentId: number) => putOff.add({ merchantId: 'm1', paymentId, fence: 1 }, false)
  add(1)
  const first = putOff.done(true)
  add(2)
  gone[0]?.resolve()
  await first
  gone[1]?.resolve()
  await putOff.done(false)
  expect(released).toEqual([[1], [2]])
})
