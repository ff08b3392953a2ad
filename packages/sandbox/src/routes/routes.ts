import { type Answer, apiRoutes, type RouteDescription } from '@tillkit/http'
import { MOST_CASH_UPS } from '../ledger/cash-ups.ts'
import { getClock, moveClock } from './clock.ts'
import { createPayment, redeliverPayment, settlePayment } from './payments.ts'
import { resetLedger } from './reset.ts'
import type { SandboxRoute } from './sandbox-route.ts'
import { createScanCode, listScanCodes } from './scan-codes.ts'
import { getWebhook, listWebhooks, setWebhook } from './webhook.ts'

/** What there is below `/sandbox`: what serves it. */
export const routes: readonly SandboxRoute[] = [
  createPayment,
  settlePayment,
  redeliverPayment,
  listScanCodes,
  createScanCode,
  getWebhook,
  setWebhook,
  listWebhooks,
  getClock,
  moveClock,
  resetLedger,
]

/**
 * What there is below `/sandbox`, as it describes itself, and what a test ledger answers otherwise than a live one:
 * `openApiDocument({ serverUrl, routes: sandboxRoutes })`.
 */
export const sandboxRoutes: readonly RouteDescription[] = [
  ...routes.map(({ answer: _, ...described }) => described),
  ...apiRoutes.filter(({ operationId }) => operationId === 'createCashUp').map(bounded),
]

/** Unlike a live ledger, a test ledger is full at some time. */
function bounded(createCashUp: RouteDescription): RouteDescription {
  const { answers } = createCashUp
  const full: Answer = {
    status: 409,
    description: 'The test ledger is full.',
    codes: { conflict: `a sandbox has at most ${MOST_CASH_UPS} cash ups: reset it` },
    headers: answers.find(({ status }) => status === 400)?.headers ?? [],
  }
  return { ...createCashUp, answers: [...answers, full] }
}
