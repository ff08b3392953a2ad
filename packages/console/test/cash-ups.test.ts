import { expect, test } from 'vitest'
import { openDesk } from './desk.ts'

test('the open period has its totals, is ended once, and its cash up has them too', async () => {
  const { browse, till } = await openDesk()
  const pay = (totalAmount: number) =>
    till.payments.start({ scanCode: 'table-1', totalAmount, tipAmount: 50 })
  await till.payments.complete(await pay(1000))
  await till.payments.complete(await pay(250))
  await till.payments.fail(await pay(9900))
  const last = await pay(400)
  const browser = browse()
  const open = await browser.counted('/m-cafe/cash-ups')
  expect(open.page).toMatch(/1 to 4<.*completed<.*€12\.50.*€1\.00.*pending<.*€4\.00.*error<.*€99\.00/s)
  const form = browser.formOf(open, 'end')
  const ended = await browser.counted((await browser.press(open, form)).target)
  expect([ended.page.includes('The period was ended.'), ended.page.includes('has no outcome yet')]).toEqual([
    true,
    true,
  ])
  // The same form once more, as another process would see it: one period, not two.
  await till.cashUps.create('cafe', { idempotencyKey: `console ${form.get('once')}` })
  expect((await till.cashUps.list('cafe')).total).toBe(1)
  await till.payments.complete(last)
  const { page } = await browser.counted(ended.target)
  expect(page).toMatch(/final<.*completed<.*€16\.50/s)
  expect(page.match(/href="[^"]*payments\/\d+"/g)).toHaveLength(3)
  for (const none of ['aa', 'x', 'A'.repeat(32), 'a'.repeat(33)]) {
    expect([none, (await browser.open(`/m-cafe/cash-ups/${none}`)).status]).toEqual([none, 404])
  }
})
