import { cashUps } from './cash-ups.ts'
import { createClock } from './clock/create-clock.ts'
import type { Context } from './context.ts'
import { inspect } from './inspection/inspect.ts'
import { apiKeys, authenticate } from './merchants/api-keys.ts'
import { merchants } from './merchants/merchants.ts'
import { remembered } from './merchants/remembered.ts'
import { scanCodes } from './merchants/scan-codes.ts'
import { checkOptions, type TillOptions } from './options.ts'
import { payments } from './payments/payments.ts'
import { repairDates } from './repair-dates.ts'
import { reports } from './reports/reports.ts'
import { settlements } from './settlements/settlements.ts'
import { migrated } from './standing.ts'
import { assertSupportedNode } from './supported-node.ts'
import type { Till } from './till.ts'
import { createEvents } from './webhooks/events.ts'
import { createWebhookKeys } from './webhooks/webhook-keys.ts'
import { webhooks } from './webhooks/webhooks.ts'
import { createWebhookWorker } from './webhooks/worker/worker.ts'

/**
 * Joins the use cases to a storage. Nothing runs until it is called; `till.webhooks.start()` starts the worker.
 * Throws `invalid_input` naming the first option that is wrong.
 */
export function createTill(options: TillOptions): Till {
  assertSupportedNode()
  const {
    storage,
    clock: hostsClock,
    webhooks: webhookOptions = {},
    secrets,
    logger,
    rememberSeconds = 5,
    name,
  } = checkOptions(options)

  const clock = createClock(storage, hostsClock, logger)
  const webhookKeys = createWebhookKeys(secrets, logger)
  const events = createEvents(logger)
  const worker = createWebhookWorker({
    name,
    deliveries: storage.deliveries,
    endpoints: storage.endpoints,
    events,
    clock,
    options: webhookOptions,
    keys: webhookKeys,
    logger,
    random: webhookOptions.spreadRetries === false ? () => 0.5 : undefined,
  })
  const context: Context = {
    name,
    storage,
    clock,
    keyOwners: remembered(
      rememberSeconds,
      hash => storage.apiKeys.findMerchant(hash, clock.given()),
      // A clock of the host's may be moved at any time: what ends by it is asked for each time.
      ({ secondsLeft }) => (hostsClock && secondsLeft !== null ? 0 : secondsLeft),
    ),
    scanned: remembered(rememberSeconds, code => storage.scanCodes.find(code)),
    webhookKeys,
    logger,
    allowHttp: webhookOptions.allowHttp ?? false,
    wakeWorker: () => worker.wake(),
    // What a host's transaction holds is not committed yet when its outcome is recorded.
    keepPlace: merchantId => (storage.inTransaction ? null : worker.keepPlace(merchantId)),
  }

  let closing = false

  return {
    merchants: merchants(context),
    apiKeys: apiKeys(context),
    scanCodes: scanCodes(context),
    payments: payments(context),
    cashUps: cashUps(context),
    reports: reports(context),
    settlements: settlements(context),
    webhooks: webhooks(context, { worker, events, options: webhookOptions, logger }),
    authenticate: authenticate(context),
    now: () => clock.now(),
    repairDates: repairDates(context, webhookOptions),
    standing: () => ({ closing, worker: worker.standing() }),
    migrated: () => migrated(storage),
    inspect: inspect(context, secrets !== undefined),
    logger,
    async close() {
      closing = true
      clock.stop()
      await worker.close()
    },
  }
}
