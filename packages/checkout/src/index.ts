/**
 * The page behind a payment QR code. `createCheckout` is all of it; the rest are its parts, for a page of the host's own:
 * `findScan` reads what was scanned, `visitorOf`, `newAttempt`, `titleOf` and `attemptKey` name an attempt for one browser, `createCharger` starts its payment and
 * charges it once, `money` shows and reads amounts, `html` writes what is safe to show.
 *
 * @packageDocumentation
 */

export { TillError } from '@tillkit/domain'
export type { Brand } from '@tillkit/http'
export { type Checkout, createCheckout } from './checkout.ts'
export { afrikaans } from './languages/afrikaans.ts'
export { dutch } from './languages/dutch.ts'
export { english } from './languages/english.ts'
export { french } from './languages/french.ts'
export { german } from './languages/german.ts'
export type { LanguageOption } from './languages/in-language.ts'
export { italian } from './languages/italian.ts'
export type { GivenTexts } from './languages/language-options.ts'
export { portuguese } from './languages/portuguese.ts'
export { spanish } from './languages/spanish.ts'
export { translations } from './languages/translations.ts'
export { type Money, money } from './money/money.ts'
export type { CheckoutOptions, CheckoutRateLimits } from './options.ts'
export { type Content, type Html, html } from './pages/html.ts'
export type { FailureTexts, Texts } from './pages/texts.ts'
export { type AttemptOptions, attemptKey, newAttempt, type Title, titleOf } from './payment/attempt.ts'
export { type Charger, type ChargerOptions, createCharger, type PayContext } from './payment/charger.ts'
export { idempotencyKey } from './payment/idempotency-key.ts'
export { LinkError, type LinkFault } from './payment/link/link-error.ts'
export type {
  ChargeContext,
  ChargeOutcome,
  KnownOutcome,
  OnUnrecorded,
  PaymentLookup,
  PaymentProcessor,
} from './payment/processor.ts'
export { findScan, type Scan, takenBy } from './payment/scan.ts'
export { type Visitor, visitorOf } from './payment/visitor.ts'
export { pathForLogs } from './route.ts'
export type { Shop, ShopOption } from './shop/shop.ts'
export type { TipPreset } from './shop/tips.ts'
export type { Standing } from './standing/standings.ts'
export type { CustomerStep } from './standing/step.ts'
