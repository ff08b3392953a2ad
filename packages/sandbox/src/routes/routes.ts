import type { RouteDescription } from '@tillkit/http'
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

/** What there is below `/sandbox`, as it describes itself: `openApiDocument({ serverUrl, routes: sandboxRoutes })`. */
export const sandboxRoutes: readonly RouteDescription[] = routes.map(
  ({ answer: _, ...described }) => described,
)
