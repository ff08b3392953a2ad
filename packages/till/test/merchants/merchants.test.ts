import { describe, expect, test } from 'vitest'
import { refusal, tillOf } from '../till-of.ts'

describe('merchants', () => {
  test('create makes up an id, and switches nothing on that was not asked for', async () => {
    const { till } = await tillOf()
    const merchant = await till.merchants.create({ name: 'Harbour Books' })
    expect(merchant).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9_.:-]{1,64}$/),
      name: 'Harbour Books',
      webhookUrl: null,
      features: { tips: false, userReferences: false, deviceLists: false },
      createdAt: '2026-11-20T09:30:00.250Z',
      suspendedAt: null,
    })
    expect(await till.merchants.get(merchant.id)).toEqual(merchant)
  })

  test('a taken id is a conflict, and the first merchant stays', async () => {
    const { till, merchant } = await tillOf()
    expect(await refusal(till.merchants.create({ id: 'shop', name: 'Another' }))).toMatch(
      /^conflict: merchant shop/,
    )
    expect(await till.merchants.get('shop')).toEqual(merchant)
  })

  test('what is wrong is named', async () => {
    const { till } = await tillOf()
    const cases: [object, RegExp][] = [
      [{}, /^invalid_input: name must be text/],
      [{ name: '' }, /name must be text of 1 to 255/],
      [{ name: 'x'.repeat(256) }, /name must be text of 1 to 255/],
      [{ name: 'a\0b' }, /name must be text/],
      [{ name: 'Shop', id: 'with space' }, /id must be 1 to 64 of/],
      [{ name: 'Shop', id: '' }, /id must be 1 to 64 of/],
      [{ name: 'Shop', webhookUrl: 'shop.example' }, /webhookUrl must be an http or https URL/],
      [{ name: 'Shop', webhookUrl: 'ftp://shop.example' }, /webhookUrl must be an http or https URL/],
      [{ name: 'Shop', webhookUrl: 'https://me:pw@shop.example' }, /webhookUrl .* without a user name/],
      [{ name: 'Shop', webhookUrl: 'http://shop.example' }, /webhookUrl must be https/],
      [{ name: 'Shop', features: { tips: 'yes' } }, /features\.tips must be a boolean/],
      [{ name: 'Shop', features: { tipping: true } }, /features\.tipping is not a known name/],
      [{ name: 'Shop', webhookURL: 'https://shop.example' }, /webhookURL is not a known name/],
    ]
    for (const [input, message] of cases) {
      expect(await refusal(till.merchants.create(input as never))).toMatch(message)
    }
  })

  test('plain http is taken where the host allows it', async () => {
    const { till } = await tillOf({ webhooks: { allowHttp: true } })
    const { webhookUrl } = await till.merchants.update('shop', { webhookUrl: 'http://127.0.0.1:9000/hook' })
    expect(webhookUrl).toBe('http://127.0.0.1:9000/hook')
  })

  test('update changes what it names and nothing else', async () => {
    const { till, merchant } = await tillOf()
    expect(await till.merchants.update('shop', { features: { tips: false, deviceLists: true } })).toEqual({
      ...merchant,
      features: { tips: false, userReferences: true, deviceLists: true },
    })
    expect(await refusal(till.merchants.update('shop', { webhookUrl: 'http://shop.example' }))).toBe(
      'invalid_input: webhookUrl must be https',
    )
    await till.merchants.update('shop', { webhookUrl: 'https://shop.example/hook' })
    expect((await till.merchants.update('shop', { name: 'New' })).webhookUrl).toBe(
      'https://shop.example/hook',
    )
    expect((await till.merchants.update('shop', { webhookUrl: null })).webhookUrl).toBeNull()
    expect(await refusal(till.merchants.update('nobody', { name: 'New' }))).toBe(
      'not_found: merchant nobody is unknown',
    )
  })

  test('list goes by id, in bounded steps', async () => {
    const { till } = await tillOf()
    for (const id of ['a', 'C', 'b']) await till.merchants.create({ id, name: id })
    const ids = async (range?: object) => (await till.merchants.list(range)).map(({ id }) => id)
    expect(await ids()).toEqual(['C', 'a', 'b', 'shop'])
    expect(await ids({ limit: 2 })).toEqual(['C', 'a'])
    expect(await ids({ after: 'a', limit: 2 })).toEqual(['b', 'shop'])
    expect(await refusal(till.merchants.list({ limit: 0 }))).toMatch(
      /limit must be an integer from 1 to 1000/,
    )
  })

  test('a webhook key is shown once, and a new one replaces it', async () => {
    const { till } = await tillOf()
    const first = await till.merchants.issueWebhookKey('shop')
    expect(first).toMatch(/^\S{32,}$/)
    expect(await till.merchants.issueWebhookKey('shop')).not.toBe(first)
    expect(JSON.stringify(await till.merchants.get('shop'))).not.toContain(first)
    expect(await refusal(till.merchants.issueWebhookKey('nobody'))).toBe(
      'not_found: merchant nobody is unknown',
    )
  })
})
