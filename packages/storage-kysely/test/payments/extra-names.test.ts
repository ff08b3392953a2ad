import { expect, test } from 'vitest'
import { inAShop } from '../engines/in-a-shop.ts'
import { overEveryEngine } from '../engines/index.ts'
import { attempt, merchantId, NOW } from '../faults/shop.ts'

overEveryEngine(({ create }) => {
  const shop = inAShop(create)

  test('what others call something does not change what a name is read as', async () => {
    const { payments } = shop.storage
    const read = async (extra: Record<string, string>) => {
      const { payment } = await payments.start(attempt({ extra }), NOW)
      const listed = await payments.list(merchantId, {}, { skip: 0, limit: 1 })
      return [await payments.get(payment), ...listed.items].map(one => one?.extra)
    }
    for (const first of ['size', 'colour', '__proto__']) {
      for (const ending of ['\\', '"', '\n', '\u0001', '\\"', '\\\\', '"\\', 'e']) {
        const extra = Object.fromEntries([
          [first, 'L'],
          [`wheel${ending}`, `yes${ending}`],
        ])
        for (const found of await read(extra)) expect(found).toStrictEqual(extra)
      }
    }
    const all = { size: 'L', 'wheel\\': '1', 'wheel"': '2', 'wheel\n': '3', 'wheel,:': '":' }
    for (const found of await read(all)) expect(found).toStrictEqual(all)
  })
})
