import { Buffer } from 'node:buffer'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { PaymentParameters } from '@tillkit/qr'
import type { Payment } from '@tillkit/till'
import type { Visitor } from './visitor.ts'

/** The names of attempts, and those of earlier versions, which are nobody's any more. */
export const ATTEMPT = '[A-Za-z0-9_-]{48}|[A-Za-z0-9_-]{22}'

const [OPEN, RENEWED] = [1, 2]
/** 36 bytes, so that each name is written in one way. */
const [KIND_BYTES, RANDOM_BYTES, MAC_BYTES] = [1, 16, 19]

/** What an attempt's name says to whoever came with it. */
export interface Title {
  /** It was made for this browser, this code and these parameters: its result may be seen. */
  own: boolean
  /** A payment may be started under it. */
  usable: boolean
  /** It was made in the place of another. */
  renewed: boolean
}

/** How a new attempt is named. */
export interface AttemptOptions {
  /** Made in the place of one that could not be used. */
  renewed?: boolean
}

/**
 * A name for one attempt to pay what a payment URL says, to be part of the address of its page. It holds 128 random bits
 * and a MAC of them, the code and the parameters under the browser's own secret: whoever gets the address by other means can
 * make no use of it. So every process can check it, and there is no key to be shared.
 *
 * @param visitor Null for a browser that keeps no cookies: then the name binds code and parameters only, and nobody may be
 *   shown the result but in the answer to the press that started the payment.
 */
export function newAttempt(
  parameters: PaymentParameters,
  visitor: Pick<Visitor, 'secret'> | null,
  { renewed = false }: AttemptOptions = {},
): string {
  const kind = (visitor ? 0 : OPEN) | (renewed ? RENEWED : 0)
  const named = Buffer.from([kind, ...randomBytes(RANDOM_BYTES)])
  return Buffer.concat([named, mac(named, parameters, visitor?.secret ?? '')]).toString('base64url')
}

/** What the name of an attempt at these parameters is to a browser. */
export function titleOf(attempt: string, parameters: PaymentParameters, visitor: Visitor): Title {
  const bytes = Buffer.from(attempt, 'base64url')
  const named = bytes.subarray(0, KIND_BYTES + RANDOM_BYTES)
  if (bytes.length !== named.length + MAC_BYTES) return { own: false, usable: false, renewed: false }
  const kind = named.readUInt8()
  const open = (kind & OPEN) !== 0
  // A browser that keeps cookies has better names than open ones.
  const right =
    open !== visitor.known &&
    timingSafeEqual(bytes.subarray(named.length), mac(named, parameters, open ? '' : visitor.secret))
  return {
    own: right && !open,
    usable: right,
    renewed: right && (kind & RENEWED) !== 0,
  }
}

/** The `attemptKey` under which the attempt's payment is started and found. */
export function attemptKey(scanCode: string, attempt: string): string {
  return `checkout:${scanCode}:${attempt}`
}

/** Whether a payment was started by an address that says the same. */
export function startedFor(payment: Payment, parameters: PaymentParameters): boolean {
  return contentOf(payment) === contentOf(parameters)
}

function mac(named: Buffer, parameters: PaymentParameters, secret: string): Buffer {
  return createHmac('sha256', `tillkit attempt ${secret}`)
    .update(named)
    .update(contentOf(parameters))
    .digest()
    .subarray(0, MAC_BYTES)
}

/** What an address says, not how: encodings of a URL are changed on its way. */
function contentOf(of: PaymentParameters | Payment): string {
  const { scanCode, merchantReference = null, requiredAmount = null, strict = false, extra = {} } = of
  const extras = Object.entries(extra).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([scanCode, merchantReference, requiredAmount, strict, extras])
}
