import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTill, type ListedDelivery } from '@tillkit/till'
import { describe, expect, test } from 'vitest'
import { deliveringProcess, POINTS, type Point, stopOf } from './processes/delivering.ts'
import { ENGINES, openStorage } from './processes/place.ts'
import { receiver } from './receiver.ts'

/** How often a worker is killed at each point, over each engine. */
const ROUNDS = Number(process.env.TILLKIT_KILL_ROUNDS ?? 1)
/** No attempt takes so long, and no lease of three times as long runs out, however busy the machine is. */
const TIMEOUT = 120
/** So far ahead is each process of the one before that whatever that one leased is over. */
const STEP = 4 * TIMEOUT

/** How often the receiver has had a delivery when its worker dies: what is not recorded is sent once more. */
const SENT_BY_THEN: Record<Point, number> = {
  'before the claim': 0,
  'before the claim commits': 0,
  claimed: 0,
  sent: 1,
  answered: 1,
  'before the record commits': 1,
  recorded: 1,
}

describe.each(ENGINES)('over $name', ({ unavailable, create }) => {
  const needsEngine = test.skipIf(unavailable !== undefined && process.env.CI !== 'true')

  needsEngine(
    'a worker that is killed at any point of a delivery loses none and overwrites none',
    { timeout: 60_000 + ROUNDS * POINTS.length * 60_000 },
    async () => {
      const { place, drop } = await create()
      const storage = openStorage(place)
      await storage.migrate()
      let holding = false
      const hook = await receiver(response => {
        if (!holding) response.end()
      })
      const till = createTill({ storage, webhooks: { allowHttp: true, allowPrivateAddresses: true } })
      await till.merchants.create({ id: 'shop', name: 'Shop', webhookUrl: hook.url })
      await till.scanCodes.create('shop', { code: 'CODE' })
      const paid = async () =>
        (await till.payments.complete(await till.payments.start({ scanCode: 'CODE', totalAmount: 1 }))).id
      const delivery = async (id: number): Promise<ListedDelivery> => {
        const { total } = await till.webhooks.list('shop', { perPage: 1 })
        const [found] = (await till.webhooks.list('shop', { perPage: 1, page: total - id + 1 })).items
        if (found?.paymentId !== id) throw new Error(`delivery ${id} is lost`)
        return found
      }
      const timesReceived = (id: number) =>
        hook.received.filter(({ headers }) => headers['webhook-id'] === `shop:${id}`).length

      let ahead = 0
      const killed: { id: number; point: Point }[] = []
      for (let round = 0; round < ROUNDS; round++) {
        for (const point of POINTS) {
          const id = await paid()
          ahead += STEP
          holding = point === 'sent'
          const child = deliveringProcess({ place, ahead, stopAt: point, timeoutSeconds: TIMEOUT })
          if (point === 'sent') {
            while (timesReceived(id) === 0) await sleep(1)
          } else {
            expect(await stopOf(child)).toBe(point)
          }
          child.kill('SIGKILL')
          await once(child, 'exit')
          killed.push({ id, point })
          holding = false

          const { state, attempts, history } = await delivery(id)
          const sent = timesReceived(id)
          const left = point === 'recorded' ? ['delivered', 1, 1] : ['pending', 0, 0]
          expect([point, state, attempts, history.length, sent]).toEqual([
            point,
            ...left,
            SENT_BY_THEN[point],
          ])

          // The next worker, once the lease is over, does what is left to be done.
          ahead += STEP
          const next = deliveringProcess({ place, ahead, stopAt: null, timeoutSeconds: TIMEOUT })
          while ((await delivery(id)).state !== 'delivered') await sleep(2)
          next.send('stop')
          await once(next, 'exit')
        }
      }

      for (const { id, point } of killed) {
        const { state, attempts, history } = await delivery(id)
        const sent = timesReceived(id)
        const again = point === 'recorded' ? 0 : 1
        expect([point, state, attempts, history.length, sent]).toEqual([
          point,
          'delivered',
          1,
          1,
          SENT_BY_THEN[point] + again,
        ])
      }
      expect(await till.webhooks.counts()).toMatchObject({ pending: 0, exhausted: 0 })
      await till.close()
      await storage.close()
      await drop()
    },
  )
})
