import { expect, test } from 'vitest'
import { openShop, stateOf, totalShown } from './shop.ts'

const order = '/shelf?id=HB-1&amount=1850'

for (const what of ['merchants', 'scanCodes'] as const) {
  const id = what === 'merchants' ? 'books' : 'shelf'

  test(`nothing is paid on what is suspended, ${what}, and the page says so`, async () => {
    const { till, customer, processor } = await openShop()
    const { target, page } = await customer.open(order)
    await till[what].suspend(id)
    const answers = [
      await customer.open(order),
      await customer.open(target),
      await customer.press(target, { total: totalShown(page) }),
    ]
    for (const { response, page } of answers) {
      expect([response.status, stateOf(page)]).toEqual([403, 'message'])
      expect(page).toContain('No payments just now')
      expect(page).toContain('Harbour Books')
    }
    expect(processor.charged).toEqual([])
    expect((await till.payments.list('books')).total).toBe(0)
    expect((await customer.open('/shelf.svg')).response.status).toBe(200)

    await till[what].resume(id)
    const paid = await customer.press(target, { total: totalShown(page) })
    expect(stateOf(paid.page)).toBe('completed')
  })

  test(`who pressed before sees how it ended, and money that was taken is recorded: ${what}`, async () => {
    const { till, customer, processor } = await openShop()
    const charged = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<{ status: 'completed' }>()
    processor.answer = () => {
      charged.resolve()
      return answer.promise
    }
    const { target, page } = await customer.open(order)
    const pressing = customer.press(target, { total: totalShown(page) })
    await charged.promise
    await till[what].suspend(id)
    answer.resolve({ status: 'completed' })
    expect(stateOf((await pressing).page)).toBe('completed')
    expect(stateOf((await customer.open(target)).page)).toBe('completed')
    expect((await till.payments.get('books', 1))?.status).toBe('completed')
  })

  test(`suspended between the look and the start: the page says so, in the host’s words: ${what}`, async () => {
    const texts = { suspended: 'Dicht', suspendedMore: 'Er is niets betaald.' }
    const { till, customer, processor, another } = await openShop({ texts })
    const { target, page } = await customer.open(order)
    const { payments } = till
    const late = {
      ...till,
      payments: {
        ...payments,
        async startOnce(payment: Parameters<typeof payments.startOnce>[0]) {
          await till[what].suspend(id)
          return payments.startOnce(payment)
        },
      },
    }
    const { handler } = another({}, late)
    const pressed = await handler({
      method: 'POST',
      path: target.split('?')[0] ?? '',
      query: target.split('?')[1] ?? '',
      headers: {
        cookie: customer.cookie() ?? '',
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
      secure: true,
      remoteAddress: '203.0.113.7',
      body: async () => Buffer.from(`total=${totalShown(page)}`),
    })
    expect(pressed.status).toBe(403)
    expect(String(pressed.body)).toContain('Er is niets betaald.')
    expect(processor.charged).toEqual([])
  })
}
