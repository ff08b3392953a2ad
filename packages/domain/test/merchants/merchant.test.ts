import { type Merchant, type MerchantPatch, merchantPatch, patchMerchant, validate } from '@tillkit/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const merchant: Merchant = {
  id: 'shop-1',
  name: 'Shop',
  webhookUrl: 'https://shop.example/hook',
  features: { tips: true, userReferences: false, deviceLists: false },
  createdAt: '2026-11-20T09:30:00.000Z',
  suspendedAt: null,
}

const patches: fc.Arbitrary<MerchantPatch> = fc.record(
  {
    name: fc.constantFrom('Shop', 'Other', undefined),
    webhookUrl: fc.constantFrom(null, 'https://other.example/hook', undefined),
    features: fc.record(
      { tips: fc.boolean(), userReferences: fc.boolean(), deviceLists: fc.boolean() },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

test('a patch changes what it names', () => {
  expect(patchMerchant(merchant, { name: 'Other' })).toEqual({ ...merchant, name: 'Other' })
  expect(patchMerchant(merchant, { webhookUrl: null })).toEqual({ ...merchant, webhookUrl: null })
  expect(patchMerchant(merchant, { features: { tips: false, deviceLists: true } })).toEqual({
    ...merchant,
    features: { tips: false, userReferences: false, deviceLists: true },
  })
})

test('of its features a patch leaves on what it does not name', () => {
  const on = { ...merchant, features: { tips: true, userReferences: true, deviceLists: true } }
  for (const name of ['tips', 'userReferences', 'deviceLists'] as const) {
    expect(patchMerchant(on, { features: { [name]: false } }).features).toEqual({
      ...on.features,
      [name]: false,
    })
  }
})

test('a webhook URL is of 2048 characters at most, and says neither a user nor a password', () => {
  const given = (webhookUrl: string) => validate(merchantPatch, { webhookUrl }, 'a patch').webhookUrl
  const longest = 'https://shop.example/'.padEnd(2048, 'x')
  expect(given(longest)).toBe(longest)
  for (const wrong of [`${longest}x`, 'https://user@shop.example/', 'https://:secret@shop.example/']) {
    expect(() => given(wrong)).toThrow(
      'webhookUrl must be an http or https URL of at most 2048 characters without a user name, a password or NUL',
    )
  }
})

test('a webhook URL is text that every database keeps as it is: none would post elsewhere than was said', () => {
  const given = (webhookUrl: string) => validate(merchantPatch, { webhookUrl }, 'a patch').webhookUrl
  expect(given('https://shop.example/💶')).toBe('https://shop.example/💶')
  for (const wrong of [
    'https://shop.example/\0/hook',
    '\0https://shop.example/',
    'https://shop.example/\ud83d',
  ]) {
    expect(() => given(wrong)).toThrow('webhookUrl must be an http or https URL')
  }
})

test('an empty patch, or one of nothing but undefined, changes nothing', () => {
  expect(patchMerchant(merchant, {})).toEqual(merchant)
  const nothing = { name: undefined, webhookUrl: undefined, features: { tips: undefined } }
  expect(patchMerchant(merchant, nothing)).toEqual(merchant)
})

test('patching twice with one patch is patching once, and the merchant given stays as it was', () => {
  const before = structuredClone(merchant)
  fc.assert(
    fc.property(patches, patch => {
      const once = patchMerchant(merchant, patch)
      expect(patchMerchant(once, patch)).toEqual(once)
      expect(once).toMatchObject({ id: merchant.id, createdAt: merchant.createdAt })
      expect(merchant).toEqual(before)
    }),
  )
})

test('a patch names no id', () => {
  expect(() => validate(merchantPatch, { id: 'shop-2' }, 'a patch')).toThrow(
    'id is not a known name of a patch',
  )
  expect(() => validate(merchantPatch, { name: null }, 'a patch')).toThrow('name must be text')
})
