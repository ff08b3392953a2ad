import { memoryStorage } from '@tillkit/storage/memory'
import { expect, test, vi } from 'vitest'
import { openDesk, soon } from './desk.ts'

/** A desk over a store whose reports wait until they are let go. */
async function withSlowReports() {
  const kept = memoryStorage()
  let gate = Promise.withResolvers<void>()
  let asked = 0
  const slow = { ...kept.reports }
  for (const name of ['period', 'takings'] as const) {
    slow[name] = async (...given: [never, never]) => {
      asked += 1
      await gate.promise
      return kept.reports[name](...given) as never
    }
  }
  const desk = await openDesk({}, { storage: { ...kept, reports: slow } })
  await desk.till.payments.complete(
    await desk.till.payments.start({ scanCode: 'table-1', totalAmount: 1250 }),
  )
  return {
    ...desk,
    asked: () => asked,
    letGo: () => gate.resolve(),
    fail: () => gate.reject(new Error('the disk is gone')),
    hold() {
      gate = Promise.withResolvers()
      gate.promise.catch(() => {})
    },
  }
}

test.each(['/m-cafe/cash-ups', '/m-cafe/today', '/today'])(
  '%s says that it is counting, looks again by itself, and has the figures when they are there',
  async target => {
    const { browse, letGo, asked } = await withSlowReports()
    const browser = browse()
    const first = await browser.open(target)
    expect(first.status).toBe(200)
    expect(first.page).toContain('being counted')
    expect(first.page).toMatch(/data-live="[23]"/)
    expect(first.page).not.toContain('€12.50')
    expect((await browser.open(target)).page).toContain('being counted')
    const begun = asked()
    expect((await browser.open(target)).page).toContain('being counted')
    expect(asked()).toBe(begun)
    letGo()
    expect((await browser.counted(target)).page).toContain('€12.50')
  },
)

test('a cash up that is looked at while its payments are counted', async () => {
  const { till, browse, letGo } = await withSlowReports()
  const { reference } = await till.cashUps.create('cafe')
  const browser = browse()
  expect((await browser.open(`/m-cafe/cash-ups/${reference}`)).page).toContain('being counted')
  letGo()
  await browser.counted(`/m-cafe/cash-ups/${reference}`)
})

test('a count that fails when nobody waits is logged, and begun again', async () => {
  const { browse, fail, hold, letGo, logged, asked } = await withSlowReports()
  hold()
  const browser = browse()
  await browser.open('/m-cafe/cash-ups')
  fail()
  await vi.waitFor(
    () => expect(logged.map(({ message }) => message).join()).toContain('did not come to its end'),
    soon,
  )
  hold()
  const before = asked()
  expect((await browser.open('/m-cafe/cash-ups')).page).toContain('being counted')
  expect(asked()).toBe(before + 1)
  letGo()
})

test('one that fails while a page waits is that page’s, which says so', async () => {
  const { browse, fail, hold, logged } = await withSlowReports()
  hold()
  fail()
  expect((await browse().open('/m-cafe/cash-ups')).status).toBe(500)
  expect(logged).toHaveLength(1)
})
