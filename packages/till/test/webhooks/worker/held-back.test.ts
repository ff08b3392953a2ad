import type { ServerResponse } from 'node:http'
import type { DeliveryStore } from '@tillkit/storage'
import { expect, onTestFinished, test, vi } from 'vitest'
import { receiver } from '../receiver.ts'
import { scene } from '../scene.ts'

/** Merchants with one delivery each at a receiver that answers one at a time when told to, and what was claimed of them. */
async function heldScene(merchants: number) {
  const { storage, merchant, outcome, worker } = scene()
  const held: ServerResponse[] = []
  const hook = await receiver(response => {
    held.push(response)
  })
  for (let n = 0; n < merchants; n++) {
    await merchant(`m${n}`, hook.url)
    await outcome(`m${n}`)
  }
  const claims: number[] = []
  const deliveries = {
    ...storage.deliveries,
    async claim(request: Parameters<DeliveryStore['claim']>[0]) {
      const claimed = await storage.deliveries.claim(request)
      claims.push(claimed.length)
      return claimed
    },
  }
  const answer = () => held.shift()?.writeHead(200).end()
  const turns = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
  }
  return {
    hook,
    claims,
    answer,
    turns,
    workerOf: (concurrency: number) => worker({ concurrency }, { deliveries }),
  }
}

test('deliverDue claims no more than it holds until it holds less', async () => {
  const { hook, claims, answer, turns, workerOf } = await heldScene(20)
  const counts = workerOf(1).deliverDue()
  await hook.got(1)
  await turns()
  expect(claims).toEqual([2, 2, 2, 2])
  const answering = setInterval(answer, 1)
  expect(await counts).toEqual({ delivered: 20, failed: 0 })
  clearInterval(answering)
})

test('however what it holds gets on, a worker claims after two seconds: somebody else may be due', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { hook, claims, answer, turns, workerOf } = await heldScene(100)
  const it = workerOf(8)
  it.start()
  await hook.got(2)
  await turns()
  expect(claims).toEqual([16, 16, 16, 16])
  for (let pace = 1; pace <= 8; pace++) {
    answer()
    await hook.got(2 + pace)
    await vi.advanceTimersByTimeAsync(250)
  }
  await turns()
  expect(claims.length).toBeGreaterThan(4)
  const stop = it.stop()
  answer()
  answer()
  expect(await stop).toMatchObject({ attempts: 2 })
})
