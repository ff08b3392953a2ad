import { paymentUrl } from '@tillkit/qr'
import { describe, expect, test, vi } from 'vitest'
import { openHighStreet, SOON } from './high-street.ts'
import { walker } from './walker.ts'

describe.each(['redirect', 'action'] as const)('a customer who confirms elsewhere, by %s', how => {
  test('goes there, approves, comes back and has paid once', async () => {
    const { bank, customer, sent, payment, scanned } = await openHighStreet()
    bank.how = how
    const step = await sent()
    expect(await payment()).toMatchObject({ status: 'pending' })
    const paid = await customer.decide(await customer.goOn(step), 'approve')
    expect([paid.state, paid.url]).toEqual(['completed', step.url])
    expect(paid.text).toMatch(/<h1>Paid<\/h1>.*order-1.*€18\.50/s)
    expect(await payment()).toMatchObject({ status: 'completed', totalAmount: 1850 })
    expect(bank.only()).toMatchObject({ cents: 1850, booked: 1 })
    expect((await customer.open(scanned)).state).toBe('taken')
  })

  test('goes there, declines, comes back and has not paid', async () => {
    const { bank, customer, sent, payment } = await openHighStreet({
      texts: { failures: { declined_at_bank: 'You said no.' } },
    })
    bank.how = how
    const back = await customer.decide(await customer.goOn(await sent()), 'decline')
    expect(back.state).toBe('error')
    expect(back.text).toContain('You said no.')
    expect(back.text).toContain('Try again')
    expect(await payment()).toMatchObject({ status: 'error', failure: 'declined_at_bank' })
    expect(bank.only().booked).toBe(0)
  })

  test('is sent back by a form that is posted, which brings no cookie along, and sees the outcome', async () => {
    const { bank, customer, sent } = await openHighStreet()
    Object.assign(bank, { how, postsBack: true })
    const done = await customer.decide(await customer.goOn(await sent()), 'approve')
    const paid = await customer.submit(done)
    expect(paid.state).toBe('completed')
  })

  test('leaves without a decision, is asked again, and can still confirm', async () => {
    const { bank, customer, sent, payment } = await openHighStreet()
    bank.how = how
    const back = await customer.leave(await customer.goOn(await sent()))
    expect(back.state).toBe('step')
    expect(await payment()).toMatchObject({ status: 'pending' })
    expect((await customer.decide(await customer.goOn(back), 'approve')).state).toBe('completed')
    expect(bank.only().booked).toBe(1)
  })

  test('never comes back: charged once or not at all, and found', async () => {
    const { bank, customer, sent, till, own, origin } = await openHighStreet()
    bank.how = how
    const there = await customer.goOn(await sent())
    await sent(walker(), `${origin}/qr/shelf?amount=900&id=order-2`)
    // Approved, and the browser closed before the answer.
    for (const entry of bank.book.values())
      if (entry.cents === 1850) Object.assign(entry, { state: 'approved', booked: 1 })
    expect(there.text).toContain('Bank')
    const open = await till.payments.unresolved({ olderThanSeconds: 0 })
    expect(open.items.map(({ id }) => id)).toEqual([1, 2])
    const counts = await till.payments.reconcile(own.lookup, { olderThanSeconds: 0 })
    expect(counts).toEqual({ completed: 1, failed: 0, pending: 1, unknown: 0, errors: 0 })
    expect((await till.payments.get('books', 1))?.status).toBe('completed')
    expect((await till.payments.get('books', 2))?.status).toBe('pending')
  })
})

describe('what is on the way', () => {
  test('the processor is given an absolute address to come back to, and a name for the payment', async () => {
    const contexts: object[] = []
    const { sent, origin, payment } = await openHighStreet({}, processor => ({
      ...processor,
      charge(given, context) {
        contexts.push({ ...context })
        return processor.charge(given, context)
      },
    }))
    const { url } = await sent()
    const { pathname, search } = new URL(url)
    const packed = Buffer.from(search.slice(1)).toString('base64url')
    const seconds = Date.parse((await payment())?.date ?? '') / 1000
    expect(contexts).toMatchObject([
      { returnUrl: `${origin}${pathname}/back/${packed}`, idempotencyKey: `books:1:${seconds}` },
    ])
  })

  test('a form may be posted to that origin and nowhere else; a link changes nothing of the policy', async () => {
    const { bank, customer, sent, scanned } = await openHighStreet()
    const policyOf = (page: { headers: Headers }) => page.headers.get('content-security-policy') ?? ''
    const form = await customer.open(scanned)
    expect(policyOf(await sent())).toBe(policyOf(form))
    bank.how = 'action'
    const step = await sent(walker(), scanned.replace('order-1', 'order-2'))
    expect(policyOf(step)).toBe(policyOf(form).replace("form-action 'self'", `form-action ${bank.url}`))
    expect(step.text).not.toContain('"><b>')
    expect(step.text).toContain('name="submit" value="&#34;&#62;&#60;b&#62;')
  })

  test('with a policy of the host’s own, its origins are allowed as well', async () => {
    const policy = { 'form-action': 'https://login.bank.example' }
    const { bank, sent } = await openHighStreet({ policy })
    bank.how = 'action'
    const step = await sent()
    expect(step.headers.get('content-security-policy')).toContain(
      `form-action ${bank.url} https://login.bank.example;`,
    )
  })

  test('pressed twice, in two tabs, and looked at again: one charge, one way to go on', async () => {
    const { bank, customer, scanned, till } = await openHighStreet()
    const page = await customer.open(scanned)
    const steps = await Promise.all([1, 2, 3, 4].map(() => customer.pay(page)))
    for (const { url } of steps) expect(url).toBe(page.url)
    const first = await customer.open(page.url)
    const second = await customer.open(page.url)
    expect([first.state, second.state]).toEqual(['step', 'step'])
    const [here, there] = [await customer.goOn(first), await customer.goOn(second)]
    expect((await customer.decide(here, 'approve')).state).toBe('completed')
    expect((await customer.decide(there, 'decline')).state).toBe('completed')
    expect(bank.only().booked).toBe(1)
    expect((await till.payments.list('books')).total).toBe(1)
  })

  test('comes back twice and by an address that somebody made up: only what the processor says counts', async () => {
    const { bank, customer, sent, payment } = await openHighStreet()
    const step = await sent()
    const { returnUrl } = bank.only()
    for (const lie of ['?redirect_status=succeeded&amount=1&id=x', '#paid']) {
      expect((await customer.open(returnUrl + lie)).state).toBe('step')
    }
    expect(await payment()).toMatchObject({ status: 'pending' })
    await customer.decide(await customer.goOn(step), 'approve')
    for (let times = 0; times < 2; times++) {
      expect((await customer.open(`${returnUrl}?status=declined`)).state).toBe('completed')
    }
  })

  test('another browser that is led back sees no outcome, and it is found all the same', async () => {
    const { bank, customer, sent, payment } = await openHighStreet()
    const there = await customer.goOn(await sent())
    bank.only().state = 'approved'
    const stranger = walker()
    const seen = await stranger.open(`${bank.only().returnUrl}?status=approved`)
    expect(seen.state).toBe('message')
    expect(seen.text).toContain('This link was used before')
    expect(seen.text).not.toMatch(/Paid|18\.50/)
    await vi.waitFor(async () => expect((await payment())?.status).toBe('completed'), SOON)
    expect(there.text).toContain('Bank')
  })

  test('a browser without cookies can go there from the answer to its press, and finds no outcome later', async () => {
    const { bank, scanned, payment } = await openHighStreet()
    const customer = walker({ cookies: false })
    const step = await customer.pay(await customer.open(scanned))
    expect(step.state).toBe('step')
    expect(step.text).toContain('Your browser keeps no cookies')
    const back = await customer.decide(await customer.goOn(step), 'approve')
    expect(back.text).toContain('This link was used before')
    await vi.waitFor(async () => expect((await payment())?.status).toBe('completed'), SOON)
    expect(bank.only().booked).toBe(1)
  })

  test('signed links are shown and paid again after the way back, their signature and all', async () => {
    const key = 'k'.repeat(40)
    const { customer, sent, origin } = await openHighStreet({ paymentKeys: [key] })
    const link = paymentUrl({ qrBaseUrl: origin, scanCode: 'shelf', requiredAmount: 1850 }, { key })
    const declined = await customer.decide(await customer.goOn(await sent(customer, link)), 'decline')
    const [, again = ''] = /<a class="button" href="([^"]*)">Try again/.exec(declined.text) ?? []
    const once = await customer.open(new URL(again.replaceAll('&#38;', '&'), declined.url).href)
    expect(once.state).toBe('pay')
  })
})
