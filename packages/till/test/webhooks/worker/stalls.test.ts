import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createTill } from '@tillkit/till'
import { describe, expect, test } from 'vitest'
import { deliveringProcess } from '../processes/delivering.ts'
import { ENGINES, openStorage } from '../processes/place.ts'
import { receiver } from '../receiver.ts'

/** Longer than any machine takes for an attempt: no lease ends but by the clock of the test. */
const TIMEOUT = 100

describe.each(ENGINES)('over $name', ({ unavailable, create }) => {
  const needsEngine = test.skipIf(unavailable !== undefined && process.env.CI !== 'true')

  needsEngine(
    'a worker that stands still for longer than its lease overwrites no newer result',
    { timeout: 120_000 },
    async () => {
      const { place, drop } = await create()
      const storage = openStorage(place)
      await storage.migrate()
      const held: ServerResponse[] = []
      // The first to ask waits for its answer, the others get one.
      const hook = await receiver((response, _, count) => {
        if (count === 1) held.push(response)
        else response.writeHead(200).end('newer')
      })
      let time = new Date()
      const till = createTill({
        storage,
        logger: false,
        clock: () => time,
        webhooks: { allowHttp: true, allowPrivateAddresses: true, timeoutSeconds: TIMEOUT },
      })
      await till.merchants.create({ id: 'shop', name: 'Shop', webhookUrl: hook.url })
      await till.scanCodes.create('shop', { code: 'CODE' })
      await till.payments.complete(await till.payments.start({ scanCode: 'CODE', totalAmount: 1 }))
      const delivery = async () => (await till.webhooks.list('shop')).items[0]

      const stalled = deliveringProcess({ place, ahead: 0, stopAt: null, timeoutSeconds: TIMEOUT })
      await hook.got(1)
      stalled.kill('SIGSTOP')
      const before = await delivery()
      expect(before).toMatchObject({ state: 'pending', attempts: 0 })

      // Nobody else has it before its lease is over, then this process does.
      const end = Date.parse(before?.nextAttemptAt ?? '')
      time = new Date(end - 1)
      expect(await till.webhooks.deliverDue()).toEqual({ delivered: 0, failed: 0 })
      expect(hook.received).toHaveLength(1)
      time = new Date(end)
      expect(await till.webhooks.deliverDue()).toEqual({ delivered: 1, failed: 0 })
      const taken = await delivery()
      expect(taken).toMatchObject({ state: 'delivered', attempts: 1, lastStatus: 200 })

      for (const response of held) response.writeHead(410).end('older')
      stalled.kill('SIGCONT')
      stalled.send('stop')
      await once(stalled, 'exit')
      expect(await delivery()).toEqual(taken)
      expect(taken?.history.map(({ answer }) => answer)).toEqual(['newer'])
      expect(hook.received).toHaveLength(2)
      await till.close()
      await storage.close()
      await drop()
    },
  )
})
