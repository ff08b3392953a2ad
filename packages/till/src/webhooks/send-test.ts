import { instant, TillError } from '@tillkit/domain'
import type { Context } from '../context.ts'
import { assertMerchantId, unknownMerchant } from '../merchants/known-merchant.ts'
import type { Logger, WebhookOptions } from '../options.ts'
import { randomBase62 } from '../random-text.ts'
import type { Webhooks } from './calls.ts'
import { testPayment } from './test-payment.ts'
import { createPoster, DEFAULT_TIMEOUT_SECONDS } from './wire/post.ts'
import { createSend } from './wire/send.ts'
import { webhookId } from './wire/webhook-request.ts'

/** Each test opens a connection of its own and leaves none behind, so that it works beside a worker or without one. */
export function sendTest(
  { storage, clock, webhookKeys, wakeWorker }: Context,
  options: WebhookOptions,
  logger: Logger,
): Webhooks['sendTest'] {
  const timeoutSeconds = options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS
  const { standardWebhooks = false, vocabulary } = options

  return async merchantId => {
    assertMerchantId(merchantId)
    const endpoint = await storage.endpoints.get(merchantId)
    if (endpoint === null) throw unknownMerchant(merchantId)
    const { webhookUrl, failingSince } = endpoint
    if (webhookUrl === null) throw new TillError('conflict', `merchant ${merchantId} has no webhookUrl`)

    const poster = createPoster({ options, timeoutSeconds, connections: 1, now: clock.now })
    const send = createSend({
      ...{ poster, keys: webhookKeys, standardWebhooks, timeoutSeconds, logger },
      vocabulary,
    })
    const at = await clock.now()
    const payment = testPayment(merchantId, at)
    // Two tests are no repeats of each other.
    const id = `${webhookId({ merchantId, paymentId: payment.id })}:${randomBase62(12)}`
    const { attempt, unsent } = await send({ ...endpoint, merchantId, id, payment }, at).finally(poster.close)
    if (unsent) logger.error({ merchantId, error: unsent.detail }, 'webhook test not sent')
    if (attempt.error === null && failingSince !== null) {
      await storage.endpoints.wake(merchantId, instant(await clock.now()))
      wakeWorker()
    }
    return attempt
  }
}
