import type { Merchant, ScanCode } from '@tillkit/domain'
import type { KeyOwner, Storage } from '@tillkit/storage'
import type { Clock } from './clock/clock.ts'
import type { Logger } from './logging/logger.ts'
import type { Remembered } from './merchants/remembered.ts'
import type { WebhookKeys } from './webhooks/webhook-keys.ts'
import type { KeptPlace } from './webhooks/worker/claims.ts'

/** What the use cases share: made once by `createTill`. */
export interface Context {
  /** What listeners know the till by. */
  name: string
  storage: Storage
  clock: Clock
  /** The merchant of an API key's hash. */
  keyOwners: Remembered<KeyOwner>
  /** A scan code and its merchant. */
  scanned: Remembered<{ scanCode: ScanCode; merchant: Merchant }>
  webhookKeys: WebhookKeys
  /** Never throws. */
  logger: Logger
  allowHttp: boolean
  /** Tells the delivery worker that an outcome was committed. */
  wakeWorker: () => void
  /** Asks it for a place for the delivery of an outcome that is about to be recorded. */
  keepPlace: (merchantId: string) => KeptPlace | null
}
