/**
 * The page behind a payment QR code. `createCheckout` is all of it; the rest are its parts, for a page of the host's own:
 * `findScan` reads what was scanned, `visitorOf`, `newAttempt`, `titleOf` and `attemptKey` name an attempt for one browser, `createCharger` starts its payment and
 * charges it once, `money` shows and reads amounts, `html` writes what is safe to show.
 *
 * @packageDocumentation
 */
export { TillError } from '@tillkit/domain'
export { type Checkout, createCheckout } from './checkout.ts'
export { type Money, money } from './money/money.ts'
export type { CheckoutOptions, CheckoutRateLimits } from './options.ts'
export type { Brand } from './pages/brand.ts'
export { type Content, type Html, html } from './pages/html.ts'
export { english, type Texts } from './pages/texts.ts'
export { type AttemptOptions, attemptKey, newAttempt, type Title, titleOf } from './payment/attempt.ts'
export { type Charger, type ChargerOptions, createCharger } from './payment/charger.ts'
export { LinkError, type LinkFault } from './payment/link-error.ts'
export type {
  ChargeContext,
  ChargeOutcome,
  KnownOutcome,
  OnUnrecorded,
  PaymentProcessor,
} from './payment/processor.ts'
export { findScan, type Scan, takenBy } from './payment/scan.ts'
export { type Visitor, visitorOf } from './payment/visitor.ts'
