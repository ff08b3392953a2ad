import { instant, type Payment } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { onTestFinished } from 'vitest'
import { plainClock } from '../../src/clock/clock.ts'
import type { Logger, Secrets, WebhookOptions } from '../../src/options.ts'
import { createEvents } from '../../src/webhooks/events.ts'
import { createWebhookKeys } from '../../src/webhooks/webhook-keys.ts'
import { createWebhookWorker, type WebhookWorkerParts } from '../../src/webhooks/worker/worker.ts'

export const SECRETS: Secrets = { current: 'k1', keys: { k1: Buffer.alloc(32, 1).toString('base64') } }

/** A storage in memory, a clock that a test moves, a log, and workers on them that are stopped when the test is over. */
export function scene(given: { storage?: Storage; from?: string } = {}) {
  const storage = given.storage ?? memoryStorage()
  let time = Date.parse(given.from ?? '2026-11-20T09:30:00.000Z')
  const clock = () => new Date(time)
  const lines: { level: keyof Logger; fields: Record<string, unknown>; message: string }[] = []
  const log = (level: keyof Logger) => (fields: object, message: string) => {
    lines.push({ level, fields: { ...fields }, message })
  }
  const logger: Logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
  const keys = createWebhookKeys(SECRETS, logger)
  const events = createEvents(logger)

  return {
    storage,
    clock,
    lines,
    keys,
    events,
    logger,
    pass(seconds: number) {
      time += seconds * 1000
    },

    async merchant(id: string, webhookUrl: string | null, key?: string) {
      const features = { tips: false, userReferences: false, deviceLists: false }
      await storage.merchants.create({ id, name: id, webhookUrl, features, createdAt: instant(clock()) })
      if (key) await storage.merchants.setWebhookKey(id, keys.seal(id, key))
    },

    /** A payment and its outcome, from which its delivery comes. */
    async outcome(merchantId: string, changes: Partial<Payment> = {}): Promise<Payment> {
      const now = instant(clock())
      const { payment: started } = await storage.payments.start(
        {
          merchantId,
          totalAmount: 1250,
          tipAmount: null,
          scanCode: 'CODE',
          scanCodeReference: null,
          userReference: null,
          isVoucher: false,
          isVoucherRedemption: false,
          requiredAmount: null,
          merchantReference: null,
          authCode: null,
          deviceSerialNumber: null,
          strict: false,
          extra: {},
          attemptKey: null,
          ...changes,
        },
        now,
      )
      const outcome =
        changes.status === 'error'
          ? { status: 'error' as const, failure: 'declined' }
          : { status: 'completed' as const }
      const resolved = await storage.payments.resolve(started, outcome, now)
      if (!resolved) throw new Error('no such payment')
      return resolved.payment
    },

    async delivery(merchantId: string, paymentId = 1) {
      const { items } = await storage.deliveries.list(merchantId, undefined, { skip: 0, limit: 1000 })
      return items.find(delivery => delivery.paymentId === paymentId)
    },

    worker(
      options: WebhookOptions = {},
      more: Partial<Pick<WebhookWorkerParts, 'resolve' | 'deliveries' | 'endpoints' | 'random'>> = {},
    ) {
      const worker = createWebhookWorker({
        deliveries: storage.deliveries,
        endpoints: storage.endpoints,
        events,
        clock: plainClock(clock),
        options: { allowHttp: true, allowPrivateAddresses: true, timeoutSeconds: 5, ...options },
        keys,
        logger,
        random: () => 0.5,
        ...more,
      })
      onTestFinished(async () => void (await worker.stop()))
      return worker
    },
  }
}
