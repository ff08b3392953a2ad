import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Logger, Secrets } from '../options.ts'

/** Makes webhook authentication keys (API 6.4), and turns them into what is stored and back. */
export interface WebhookKeys {
  /** A new key: `whk_` and 256 random bits in hexadecimal. */
  make(): string
  /** What is stored of a merchant's key, at most 180 characters: sealed under the current secret, where there is one. */
  seal(merchantId: string, key: string): string
  /** What stored keys begin with that this process can open: those that are not sealed first, the current secret's next. */
  prefixes(): string[]
  /** The key that `stored` holds. Throws `KeyNotOpened` when it cannot be opened. */
  open(merchantId: string, stored: string): string
}

/** A webhook key that could not be opened; no text of it holds a part of any key. */
export class KeyNotOpened extends Error {
  /** Why, in words that hold nothing of what is stored. */
  readonly reason: string
  /** Whether it is the process that lacks something, and so may not for long, and not the key that is broken. */
  readonly passing: boolean

  constructor(message: string, reason: string, passing: boolean) {
    super(message)
    this.reason = reason
    this.passing = passing
  }
}

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const SECRET_ID = /^[A-Za-z0-9_-]{1,64}$/

/**
 * Seals by AES-256-GCM with the merchant's id as associated data, so that a sealed key copied to another merchant does
 * not open. A sealed key reads `sealed.<id of the secret>.<base64url of iv, ciphertext and tag>`, one that is stored as
 * it is `plain.<key>`; both kinds open whichever `secrets` are given now, as long as the secret is still among them.
 */
export function createWebhookKeys(secrets: Secrets | undefined, logger: Logger): WebhookKeys {
  const secretOf = (id: string) => {
    const secret = secrets && Object.hasOwn(secrets.keys, id) ? secrets.keys[id] : undefined
    return secret === undefined ? null : Buffer.from(secret, 'base64')
  }
  let warned = false

  return {
    make: () => `whk_${randomBytes(32).toString('hex')}`,

    seal(merchantId, key) {
      const secret = secrets && secretOf(secrets.current)
      if (secret) return `sealed.${secrets.current}.${encrypt(secret, merchantId, key).toString('base64url')}`
      if (!warned) logger.warn({}, 'webhook keys are stored as they are: createTill was given no secrets')
      warned = true
      return `plain.${key}`
    },

    prefixes() {
      const { current, keys } = secrets ?? { current: '', keys: {} }
      const others = Object.keys(keys).filter(id => id !== current)
      const ids = secrets ? [current, ...others] : []
      return ['plain.', ...ids.map(id => `sealed.${id}.`)]
    },

    open(merchantId, stored) {
      const [form, id = '', ...sealed] = stored.split('.')
      if (form === 'plain') return stored.slice('plain.'.length)
      if (form !== 'sealed' || sealed.length !== 1) throw broken('webhook key is stored in an unknown form')
      const secret = secretOf(id)
      if (!secret) {
        const under = SECRET_ID.test(id) ? `secret ${id}` : 'a secret'
        throw new KeyNotOpened(
          `webhook key is sealed under ${under}, which is not among the secrets`,
          'webhook key is sealed under a secret that is not among the secrets',
          true,
        )
      }
      try {
        return decrypt(secret, merchantId, Buffer.from(sealed.join(), 'base64url'))
      } catch {
        throw broken('webhook key does not open', `webhook key does not open with secret ${id}`)
      }
    },
  }
}

const broken = (reason: string, message = reason) => new KeyNotOpened(message, reason, false)

function encrypt(secret: Buffer, merchantId: string, key: string): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, secret, iv, { authTagLength: TAG_BYTES }).setAAD(
    Buffer.from(merchantId),
  )
  return Buffer.concat([iv, cipher.update(key, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

function decrypt(secret: Buffer, merchantId: string, sealed: Buffer): string {
  const decipher = createDecipheriv(CIPHER, secret, sealed.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(merchantId)).setAuthTag(sealed.subarray(-TAG_BYTES))
  return decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}
