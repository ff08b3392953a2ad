import type { LookupAnswer, Payment } from '@tillkit/till'
import { expect, test, vi } from 'vitest'
import { openDesk, soon } from './desk.ts'

test('payments without an outcome are shown with what the processor said of each, and what it knows is recorded', async () => {
  const time = { now: Date.parse('2026-11-20T12:00:00Z') }
  const answers: ((payment: Payment) => LookupAnswer)[] = [
    () => ({ status: 'completed' }),
    () => ({ status: 'unknown' }),
    () => {
      throw new Error('the bank is away')
    },
  ]
  const lookup = (payment: Payment) => answers[payment.id - 1]?.(payment) ?? { status: 'pending' as const }
  const { browse, till } = await openDesk({ lookup }, { clock: () => new Date(time.now) })
  for (let n = 0; n < 4; n++) await till.payments.start({ scanCode: 'table-1', totalAmount: 100 })
  time.now += 3_700_000
  const browser = browse()
  const before = await browser.open('/unresolved?age=3600')
  expect(before.page.match(/not asked by this process/g)).toHaveLength(4)
  expect(before.page).toContain('1 hour')
  await browser.submit('/unresolved?age=3600', 'ask')
  await vi.waitFor(async () => {
    const { page } = await browser.open('/unresolved?age=3600')
    expect(page).toContain('1 completed, 0 failed,\n1 still under way, 1 unknown to it, 1 without an answer')
  }, soon)
  const { page } = await browser.open('/unresolved?age=3600')
  expect([page.match(/>unknown, /g), page.match(/>no answer, /g), page.match(/>pending, /g)]).toMatchObject(
    [[''], [''], ['']].map(() => [expect.any(String)]),
  )
  expect((await till.payments.get('cafe', 1))?.status).toBe('completed')
})

test('without a lookup nobody can be asked, and the page says so', async () => {
  const { browse } = await openDesk()
  const { page } = await browse().open('/unresolved')
  expect([page.includes('gave this console no'), page.includes('value="ask"')]).toEqual([true, false])
})
