import type { Checks } from '../capability.ts'
import { EDGE_TEXTS, UNKNOWN_TEXTS } from '../edge-text.ts'
import { aMerchant, at, refusal, unique, WEBHOOK_URL } from '../scene.ts'

export function merchants({ test, expect }: Checks): void {
  test('a merchant is kept as it was given', async ({ storage }) => {
    const full = aMerchant({
      name: '💶'.repeat(255),
      webhookUrl: `${WEBHOOK_URL}?${'q'.repeat(2000)}`,
      features: { tips: true, userReferences: false, deviceLists: true },
      createdAt: at(0.123),
    })
    await storage.merchants.create(full)
    expect(await storage.merchants.get(full.id)).toEqual(full)

    const plain = aMerchant({ features: { tips: false, userReferences: true, deviceLists: false } })
    await storage.merchants.create(plain)
    expect(await storage.merchants.get(plain.id)).toEqual(plain)
  })

  test('names are any text', async ({ storage, merchant }) => {
    for (const name of EDGE_TEXTS) {
      const { id } = await merchant({ name })
      expect((await storage.merchants.get(id))?.name).toBe(name)
    }
  })

  test('an unknown merchant is null', async ({ storage, merchant }) => {
    const { id } = await merchant()
    for (const unknown of [
      ...UNKNOWN_TEXTS,
      id.toUpperCase(),
      `${id} `,
      ` ${id}`,
      id.slice(0, -1),
      `${id}%`,
    ]) {
      expect(await storage.merchants.get(unknown)).toBe(null)
      expect(await storage.merchants.update(unknown, { name: 'Mine' }, at(0))).toBe(null)
      expect(await storage.merchants.setWebhookKey(unknown, 'sealed')).toBe(false)
    }
  })

  test('ids that differ in case alone are different merchants', async ({ storage }) => {
    const n = unique()
    const small = aMerchant({ id: `shop:a.b_c-${n}`, name: 'Small' })
    const large = aMerchant({ id: `SHOP:a.b_c-${n}`, name: 'Large' })
    await storage.merchants.create(small)
    await storage.merchants.create(large)
    expect(await storage.merchants.get(small.id)).toEqual(small)
    expect(await storage.merchants.get(large.id)).toEqual(large)
  })

  test('a taken id throws conflict and leaves its merchant alone', async ({ storage }) => {
    const first = aMerchant({ id: `${unique()}`.padStart(64, 'm') })
    await storage.merchants.create(first)
    expect(await refusal(storage.merchants.create({ ...first, name: 'Second' }))).toBe('conflict')
    expect(await storage.merchants.get(first.id)).toEqual(first)
  })

  test('an update changes what it names and nothing else', async ({ storage, merchant }) => {
    const before = await merchant({ webhookUrl: WEBHOOK_URL, createdAt: at(0.5) })
    const { id } = before
    const renamed = { ...before, name: 'New name' }
    expect(await storage.merchants.update(id, { name: 'New name' }, at(0))).toEqual(renamed)

    const tipped = { ...renamed, features: { ...before.features, tips: true } }
    expect(await storage.merchants.update(id, { features: { tips: true } }, at(0))).toEqual(tipped)
    const untipped = { ...renamed, features: { tips: false, userReferences: true, deviceLists: true } }
    const features = { tips: false, userReferences: true, deviceLists: true }
    expect(await storage.merchants.update(id, { features }, at(0))).toEqual(untipped)

    const silent = { ...untipped, webhookUrl: null }
    expect(await storage.merchants.update(id, { webhookUrl: null }, at(0))).toEqual(silent)
    expect(await storage.merchants.update(id, {}, at(0))).toEqual(silent)
    expect(await storage.merchants.update(id, { name: undefined, webhookUrl: undefined }, at(0))).toEqual(
      silent,
    )
    expect(await storage.merchants.get(id)).toEqual(silent)

    const other = `${WEBHOOK_URL}/2`
    expect(await storage.merchants.update(id, { webhookUrl: other }, at(0))).toEqual({
      ...silent,
      webhookUrl: other,
    })
  })

  test('an update leaves other merchants alone', async ({ storage, merchant }) => {
    const [one, other] = [await merchant(), await merchant()]
    await storage.merchants.update(one.id, { name: 'Changed', features: { tips: true } }, at(0))
    expect(await storage.merchants.get(other.id)).toEqual(other)
  })

  test('the list goes by id in code-point order', async ({ storage, merchant }) => {
    const prefix = `list-${unique()}`
    const ids = ['-', '.', '0', '10', '2', ':', 'A', 'B', '_', 'a', 'aa', 'b'].map(end => `${prefix}${end}`)
    const byId = new Map(ids.toReversed().map(id => [id, aMerchant({ id, webhookUrl: WEBHOOK_URL })]))
    for (const one of byId.values()) await merchant(one)
    const list = async (after: string, limit: number) =>
      (await storage.merchants.list({ after, limit })).map(({ id }) => id)

    expect(await list(prefix, ids.length)).toEqual(ids)
    expect(await storage.merchants.list({ after: `${prefix}_`, limit: 1 })).toEqual([byId.get(`${prefix}a`)])
    expect(await list(`${prefix}0`, 3)).toEqual(ids.slice(3, 6))
    expect(await list(`${prefix}Abc`, 1)).toEqual([`${prefix}B`])
    expect(await list('zzzz', 10)).toEqual([])
  })

  test('a list from the start holds everyone once', async ({ storage, merchant }) => {
    const mine = [await merchant(), await merchant(), await merchant()].map(({ id }) => id)
    const whole = (await storage.merchants.list({ limit: 1000 })).map(({ id }) => id)
    expect(whole).toEqual([...new Set(whole)].sort())
    expect(whole.filter(id => mine.includes(id))).toEqual(mine.toSorted())
    expect((await storage.merchants.list({ limit: 2, after: undefined })).map(({ id }) => id)).toEqual(
      whole.slice(0, 2),
    )
  })

  test('a webhook key is kept and replaced', async ({ storage, merchant }) => {
    const { id } = await merchant()
    expect(await storage.merchants.setWebhookKey(id, 'sealed-1')).toBe(true)
    expect(await storage.merchants.setWebhookKey(id, 'sealed-2')).toBe(true)
    expect(await storage.merchants.setWebhookKey(id, 'sealed-2')).toBe(true)
  })

  test('the key before goes on until a date, the one before that is gone', async scene => {
    const { storage, merchant, completed } = scene
    const { id } = await merchant({ webhookUrl: WEBHOOK_URL })
    const keys = async () => {
      const { webhookKey, previousWebhookKey } = (await storage.endpoints.get(id)) ?? {}
      return [webhookKey, previousWebhookKey]
    }
    await storage.merchants.setWebhookKey(id, 'sealed-1', at(60))
    expect(await keys()).toEqual(['sealed-1', null])
    await storage.merchants.setWebhookKey(id, 'sealed-2', at(60.125))
    const both = ['sealed-2', { key: 'sealed-1', until: at(60.125) }]
    expect(await keys()).toEqual(both)
    await storage.merchants.setWebhookKey(id, 'sealed-2', at(60.125))
    expect(await keys()).toEqual(both)

    await scene.leaseLeftovers()
    await completed(id)
    const [claimed] = await storage.deliveries.claim({ now: at(1000), leaseUntil: at(2000), limit: 1 })
    expect([claimed?.webhookKey, claimed?.previousWebhookKey]).toEqual(both)

    await storage.merchants.setWebhookKey(id, 'sealed-3', at(3))
    expect(await keys()).toEqual(['sealed-3', { key: 'sealed-2', until: at(3) }])
    await storage.merchants.setWebhookKey(id, 'sealed-4')
    expect(await keys()).toEqual(['sealed-4', null])
    await storage.merchants.setWebhookKey(id, 'sealed-5', null)
    expect(await keys()).toEqual(['sealed-5', null])
  })
}
