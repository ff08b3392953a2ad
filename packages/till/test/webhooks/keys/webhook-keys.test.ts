import { describe, expect, test } from 'vitest'
import type { Logger, Secrets } from '../../../src/options.ts'
import { createWebhookKeys } from '../../../src/webhooks/webhook-keys.ts'

const secret = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const ONE: Secrets = { current: 'k1', keys: { k1: secret(1) } }
const BOTH: Secrets = { current: 'k2', keys: { k1: secret(1), k2: secret(2) } }
const TWO: Secrets = { current: 'k2', keys: { k2: secret(2) } }

function withSecrets(secrets?: Secrets) {
  const warnings: string[] = []
  const ignore = () => {}
  const logger: Logger = {
    debug: ignore,
    info: ignore,
    error: ignore,
    warn: (_, text) => warnings.push(text),
  }
  return { keys: createWebhookKeys(secrets, logger), warnings }
}

describe('webhook keys', () => {
  test('are random: 256 bits under a prefix', () => {
    const { keys } = withSecrets(ONE)
    const made = Array.from({ length: 100 }, () => keys.make())
    for (const key of made) expect(key).toMatch(/^whk_[0-9a-f]{64}$/)
    expect(new Set(made).size).toBe(100)
  })

  test('are sealed under the current secret, each time differently, and open again', () => {
    const { keys, warnings } = withSecrets(ONE)
    const key = keys.make()
    const [a, b] = [keys.seal('m1', key), keys.seal('m1', key)]
    expect(a).toMatch(/^sealed\.k1\.[A-Za-z0-9_-]+$/)
    expect(a).not.toContain(key.slice(4, 20))
    expect(a.length).toBeLessThanOrEqual(180)
    expect(a).not.toBe(b)
    expect([keys.open('m1', a), keys.open('m1', b)]).toEqual([key, key])
    expect(warnings).toEqual([])
  })

  test('sealed under an old secret still open while it is among the secrets', () => {
    const sealed = withSecrets(ONE).keys.seal('m1', 'whk_x')
    const { keys } = withSecrets(BOTH)
    expect(keys.open('m1', sealed)).toBe('whk_x')
    expect(keys.seal('m1', 'whk_x')).toMatch(/^sealed\.k2\./)
  })

  test('do not open without their secret, and the error says so', () => {
    const sealed = withSecrets(ONE).keys.seal('m1', 'whk_x')
    const gone = 'webhook key is sealed under secret k1, which is not among the secrets'
    expect(() => withSecrets(TWO).keys.open('m1', sealed)).toThrow(gone)
    expect(() => withSecrets().keys.open('m1', sealed)).toThrow(gone)
  })

  test('do not open with another secret of the same id, for another merchant, cut short or changed', () => {
    const { keys } = withSecrets(ONE)
    const sealed = keys.seal('m1', 'whk_x')
    const not = 'webhook key does not open with secret k1'
    const other = withSecrets({ current: 'k1', keys: { k1: secret(9) } }).keys
    expect(() => other.open('m1', sealed)).toThrow(not)
    expect(() => keys.open('m2', sealed)).toThrow(not)
    expect(() => keys.open('m1', sealed.slice(0, -4))).toThrow(not)
    expect(() => keys.open('m1', sealed.slice(0, 20))).toThrow(not)
    expect(() => keys.open('m1', 'sealed.k1.')).toThrow(not)
    const at = sealed.length - 10
    const flipped = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
    expect(() => keys.open('m1', flipped)).toThrow(not)
  })

  test('without secrets are stored as they are, with one warning, and open when there are secrets later', () => {
    const { keys, warnings } = withSecrets()
    const stored = keys.seal('m1', 'whk_x')
    keys.seal('m2', 'whk_y')
    expect(stored).toBe('plain.whk_x')
    expect(warnings).toEqual(['webhook keys are stored as they are: createTill was given no secrets'])
    expect(withSecrets(ONE).keys.open('m1', stored)).toBe('whk_x')
  })

  test.each(['', 'whk_x', 'sealed', 'sealed.k1', 'sealed.k1.a.b', 'other.k1.x'])(
    '%j is no stored key',
    stored => {
      expect(() => withSecrets(ONE).keys.open('m1', stored)).toThrow(
        'webhook key is stored in an unknown form',
      )
    },
  )
})
