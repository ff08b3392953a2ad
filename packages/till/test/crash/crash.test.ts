import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTill, type StartPayment } from '@tillkit/till'
import { parseWebhook } from '@tillkit/webhook-signer'
import { describe, expect, test } from 'vitest'
import { ENGINES, openStorage, type Place } from '../webhooks/processes/place.ts'
import { receiver } from '../webhooks/receiver.ts'
import { type Point, takingProcess } from './crashing.ts'
import { chargesIn, processorOf } from './ledger.ts'
import { settleUnresolved, takePayment } from './taking-payments.ts'

const HOUR = 3_600_000

/** Where the process of a payment dies, what is paid, and how it ends. */
const DEATHS: [dieAt: Point, totalAmount: number, outcome: [status: string, failure: string | null]][] = [
  ['started', 1250, ['error', 'stale']],
  ['charged', 1250, ['completed', null]],
  ['charged', 666, ['error', 'no funds']],
  ['recorded', 1250, ['completed', null]],
]

test('the program in the README is there to the letter', async () => {
  const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8')
  const source = await readFile(join(import.meta.dirname, 'taking-payments.ts'), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${source}\`\`\`\n`)
})

/** A till two hours later, so that whatever is pending has been for long enough. */
const laterOn = (place: Place) => {
  const storage = openStorage(place)
  const clock = () => new Date(Date.now() + 2 * HOUR)
  const webhooks = { allowHttp: true, allowPrivateAddresses: true }
  return { storage, till: createTill({ storage, clock, webhooks, logger: false }) }
}

describe.each(ENGINES)('over $name', ({ unavailable, create }) => {
  const needsEngine = test.skipIf(unavailable !== undefined && process.env.CI !== 'true')

  needsEngine(
    'a payment whose process dies is charged at most once, and ends as the processor says, webhook included',
    { timeout: 600_000 },
    async () => {
      const { place, drop } = await create()
      const folder = await mkdtemp(join(tmpdir(), 'tillkit-crash-'))
      const ledger = join(folder, 'charges')
      const processor = processorOf(ledger)
      const hook = await receiver()
      const first = laterOn(place)
      await first.storage.migrate()
      await first.till.merchants.create({ id: 'shop', name: 'Shop', webhookUrl: hook.url })
      await first.till.scanCodes.create('shop', { code: 'CODE' })

      const expected: [status: string, failure: string | null][] = []
      const charges: string[] = []
      for (const [dieAt, totalAmount, outcome] of DEATHS) {
        const id = expected.push(outcome)
        const attempt: StartPayment = { scanCode: 'CODE', totalAmount, attemptKey: `order-${id}` }
        const dying = takingProcess({ place, ledger, attempt, dieAt })
        expect(await once(dying, 'exit')).toEqual([null, 'SIGKILL'])
        // The customer tries again with the same order, in a process that lives.
        await takePayment(first.till, processor, attempt)
        if (dieAt !== 'started') charges.push(`shop/${id} ${totalAmount}`)
      }
      expect(chargesIn(ledger)).toEqual(charges)

      // Two processes settle what is left, at once.
      const second = laterOn(place)
      await Promise.all([first, second].map(({ till }) => settleUnresolved(till, processor)))
      expect((await first.till.payments.unresolved({ olderThanSeconds: 0 })).items).toEqual([])
      const { items } = await first.till.payments.list('shop')
      expect(items.reverse().map(({ status, failure }) => [status, failure])).toEqual(expected)
      expect(chargesIn(ledger)).toEqual(charges)

      await first.till.webhooks.deliverDue()
      const told = hook.received.map(({ body }) => parseWebhook(Buffer.from(body, 'latin1')))
      expect(told.map(({ id, status }) => [id, status]).sort(([a], [b]) => Number(a) - Number(b))).toEqual(
        expected.map(([status], n) => [n + 1, status]),
      )
      for (const { till, storage } of [first, second]) {
        await till.close()
        await storage.close()
      }
      await rm(folder, { recursive: true })
      await drop()
    },
  )
})
