import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Checkout } from '@tillkit/checkout'
import type { HttpHandler } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { customerOf, openShop, stateOf, totalShown } from './shop.ts'

/** A checkout behind a socket of this machine, as a handler that asks over the network. */
async function overSocket({ handler }: Checkout): Promise<HttpHandler> {
  const server = createServer(toNode({ '/qr': handler }))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const mount = `http://127.0.0.1:${(server.address() as AddressInfo).port}/qr`
  return async ({ method, path, query, headers, body }) => {
    const answer = await fetch(`${mount}${path}${query && `?${query}`}`, {
      method,
      redirect: 'manual',
      headers: Object.entries(headers) as [string, string][],
      body: method === 'POST' ? Buffer.from(await body()) : null,
    })
    const names: Record<string, string> = { location: 'Location', 'set-cookie': 'Set-Cookie' }
    return {
      status: answer.status,
      headers: Object.fromEntries([...answer.headers].map(([name, value]) => [names[name] ?? name, value])),
      body: await answer.text(),
    }
  }
}

/** A shop whose checkout is reached over a socket, and customers, each with a browser of its own. */
async function street() {
  const shop = await openShop({ https: 'off', waitSeconds: 0.2 })
  const handler = await overSocket(shop.checkout)
  const newCustomer = (options?: { cookies: boolean }) => customerOf(handler, options)
  return { ...shop, newCustomer, forgetful: () => newCustomer({ cookies: false }) }
}

const order = '/shelf?id=HB-1&amount=1850'
const press = { total: '1850' }
const address = (target: string) => target.split('?')[0] ?? ''

function expectNothingGiven(page: string, authCode: string | null | undefined): void {
  expect(authCode).toMatch(/^\d{6}$/)
  expect(page).not.toContain(authCode)
  expect(page).not.toMatch(/<h1>(?:Already )?[Pp]aid|Thank you|class="result completed/)
}

afterEach(() => void vi.useRealTimers())

describe('an address that is handed to two customers', () => {
  const chosen = ['A'.repeat(22), 'A'.repeat(48), `AAA${'_-'.repeat(22)}A`]

  test.each(chosen)('an attempt of somebody’s choice, %s: each pays for themselves', async attempt => {
    const { newCustomer, processor, till } = await street()
    const link = `/shelf/pay/${attempt}?id=HB-1&amount=1850`
    const [anna, ben] = [newCustomer(), newCustomer()]
    const annas = await anna.open(link)
    expect([annas.response.status, stateOf(annas.page)]).toEqual([200, 'pay'])
    expect(address(annas.target)).not.toContain(attempt)
    expect(stateOf((await anna.press(annas.target, press)).page)).toBe('completed')

    const bens = await ben.open(link)
    expect(stateOf(bens.page)).toBe('pay')
    expectNothingGiven(bens.page, processor.charged[0]?.authCode)
    expect(stateOf((await ben.press(bens.target, press)).page)).toBe('completed')
    expect(processor.charged).toHaveLength(2)
    expect((await till.payments.list('books', { filter: { status: ['completed'] } })).total).toBe(2)
  })

  test.each(chosen)('and a press straight at it, %s, charges nothing', async attempt => {
    const { newCustomer, forgetful, processor } = await street()
    for (const customer of [newCustomer(), forgetful()]) {
      const { page, target } = await customer.press(`/shelf/pay/${attempt}?amount=1850`, press)
      expect(stateOf(page)).toBe('pay')
      expect(target).not.toContain(attempt)
    }
    expect(processor.charged).toEqual([])
  })

  test.each([true, false])('an attempt that the giver was made, with cookies %s', async cookies => {
    const { newCustomer, processor } = await street()
    const { target: link } = await newCustomer({ cookies }).open(order)
    const [anna, ben] = [newCustomer(), newCustomer()]
    // A link made for a browser without cookies shows the form, and leads on when it is pressed.
    const annas = cookies ? await anna.open(link) : await anna.press((await anna.open(link)).target, press)
    expect(address(annas.target)).not.toBe(address(link))
    expect(annas.page).toContain('This is a new payment.')
    expect(processor.charged).toEqual([])
    expect(stateOf((await anna.press(annas.target, press)).page)).toBe('completed')

    for (const target of [link, annas.target]) {
      expectNothingGiven((await ben.open(target)).page, processor.charged[0]?.authCode)
      expectNothingGiven((await ben.press(target, press)).page, processor.charged[0]?.authCode)
    }
    expect(processor.charged).toHaveLength(1)
  })

  test('a receipt that is passed on says that it is somebody else’s, and leads to a payment of one’s own', async () => {
    const { newCustomer, forgetful, processor } = await street()
    const anna = newCustomer()
    const paid = await anna.pay(order)
    expect(paid.page).toContain(processor.charged[0]?.authCode)
    for (const customer of [newCustomer(), forgetful()]) {
      const { page, target } = await customer.open(paid.target)
      expect(page).toContain('This link was used before')
      expectNothingGiven(page, processor.charged[0]?.authCode)
      const again = /href="([^"]*)"/.exec(page)?.[1]?.replaceAll('&#38;', '&')
      expect(again).toBe(`../..${order}`)
      expect(stateOf((await customer.press(target, press)).page)).toBe('message')
    }
    expect((await anna.open(paid.target)).page).toContain(processor.charged[0]?.authCode)
    expect(processor.charged).toHaveLength(1)
  })

  test('without cookies: whoever presses first is shown the outcome, the other that it is not theirs', async () => {
    const { forgetful, processor } = await street()
    const { target: link, page: form } = await forgetful().open(order)
    expect(form).toContain('Your browser keeps no cookies')
    const first = await forgetful().press(link, press)
    expect(stateOf(first.page)).toBe('completed')
    expect(first.page).toContain(processor.charged[0]?.authCode)
    const second = await forgetful().press(link, press)
    expectNothingGiven(second.page, processor.charged[0]?.authCode)
    expect(processor.charged).toHaveLength(1)
  })

  test('who presses at once without cookies: one is charged and shown the outcome', async () => {
    const { forgetful, processor } = await street()
    const { target: link } = await forgetful().open(order)
    const pages = await Promise.all(Array.from({ length: 8 }, () => forgetful().press(link, press)))
    expect(processor.charged).toHaveLength(1)
    const code = processor.charged[0]?.authCode ?? 'none'
    expect(pages.filter(({ page }) => page.includes(code))).toHaveLength(1)
    expect(pages.filter(({ page }) => stateOf(page) === 'completed')).toHaveLength(1)
  })
})

describe('an attempt is of one code and one set of parameters', () => {
  test.each([
    'id=HB-2&amount=1850',
    'id=HB-1&amount=1',
    'id=HB-9&amount=1850&strict=true',
    'id=HB-1&amount=1850&x=1',
    '',
  ])('with other parameters, %j, it leads to another, and its result is not shown', async query => {
    const { newCustomer, processor } = await street()
    const customer = newCustomer()
    const { target } = await customer.open(order)
    const changed = query === '' ? address(target) : `${address(target)}?${query}`
    const before = await customer.press(changed, { ...press, amount: '18.50' })
    expect(stateOf(before.page)).toBe('pay')
    expect(address(before.target)).not.toBe(address(target))
    expect(processor.charged).toEqual([])

    await customer.press(target, press)
    const { page } = await customer.open(changed)
    expectNothingGiven(page, processor.charged[0]?.authCode)
    await customer.press(changed, { ...press, amount: '18.50' })
    expect(processor.charged).toHaveLength(1)
  })

  test('another code’s is another', async () => {
    const { newCustomer, till } = await street()
    await till.scanCodes.create('books', { code: 'shelf-2' })
    const customer = newCustomer()
    const { target } = await customer.pay(order)
    const moved = await customer.open(target.replace('/shelf', '/shelf-2'))
    expect(stateOf(moved.page)).toBe('pay')
    expect(address(moved.target).split('/').at(-1)).not.toBe(address(target).split('/').at(-1))
  })

  test('each letter of its name counts', async () => {
    const { newCustomer } = await street()
    const customer = newCustomer()
    const { target } = await customer.open(order)
    const name = address(target).split('/').at(-1) ?? ''
    expect(name).toHaveLength(48)
    for (let at = 0; at < name.length; at++) {
      const other = `${name.slice(0, at)}${name[at] === 'A' ? 'B' : 'A'}${name.slice(at + 1)}`
      const { target: led } = await customer.open(target.replace(name, other))
      expect(led).not.toContain(other)
    }
  })

  test.each(["a='", 'a=%c3%a9', 'a=é', 'a=%zz', 'a=%27"', 'a=b&c=d', 'c=d&a=b', 'a=1&a=2', '__proto__=x'])(
    'whatever way its address is written: %s',
    async query => {
      const { newCustomer, processor } = await street()
      const customer = newCustomer()
      const { target, page } = await customer.open(`/shelf?amount=1850&${query}`)
      expect(page).not.toContain('This is a new payment.')
      const written = new URL(target.replaceAll('é', '%C3%A9'), 'https://pay.example.com')
      const turned = `${written.pathname}?${written.search.slice(1).split('&').reverse().join('&')}`
      const same = query === 'a=1&a=2' ? `${written.pathname}${written.search}` : turned
      expect(stateOf((await customer.press(same, press)).page)).toBe('completed')
      expect(stateOf((await customer.open(target)).page)).toBe('completed')
      expect(processor.charged).toHaveLength(1)
    },
  )
})

describe('once, whatever the customer does', () => {
  test('back, reload, a second press, a second window', async () => {
    const { newCustomer, processor } = await street()
    const customer = newCustomer()
    const { target } = await customer.open(order)
    const pages = await Promise.all([customer.press(target, press), customer.press(target, press)])
    for (const { page } of [...pages, await customer.open(target), await customer.press(target, press)]) {
      expect(stateOf(page)).toBe('completed')
      expect(page).toContain(processor.charged[0]?.authCode)
    }
    expect(processor.charged).toHaveLength(1)
  })

  test('two windows that came at the same time, each to an attempt of its own', async () => {
    const { newCustomer, processor } = await street()
    const customer = newCustomer()
    const [one, other] = await Promise.all([customer.open(order), customer.open(order)])
    const pages = [await customer.press(one.target, press), await customer.press(other.target, press)]
    // One cookie stands: the other window is shown a form again, and charges nothing by its press.
    expect(pages.map(({ page }) => stateOf(page)).sort()).toEqual(['completed', 'pay'])
    expect(processor.charged).toHaveLength(1)
  })

  test('in another process, and after a restart: there is nothing that a process remembers', async () => {
    const { checkout, another, processor } = await openShop({ https: 'off' })
    const handlers = await Promise.all([checkout, another(), another()].map(overSocket))
    let turn = 0
    const spread: HttpHandler = request => (handlers[turn++ % 3] as HttpHandler)(request)
    for (const cookies of [true, false]) {
      const customer = customerOf(spread, { cookies })
      const { page, target } = await customer.pay(order)
      expect(stateOf(page)).toBe('completed')
      turn++
      expect(stateOf((await customer.open(target)).page)).toBe(cookies ? 'completed' : 'message')
    }
    expect(processor.charged).toHaveLength(2)
  })

  test('a form without cookies: pressed twice it charges once, and the way back does not offer to pay', async () => {
    const { forgetful, processor } = await street()
    const customer = forgetful()
    const { target, page } = await customer.open(order)
    await customer.press(target, { total: totalShown(page) })
    for (const again of [await customer.press(target, press), await customer.open(target)]) {
      expect(again.page).toContain('do not pay again')
      expect(again.page).not.toContain('<form')
    }
    expect(processor.charged).toHaveLength(1)
  })

  test('an outcome that takes its time is not promised to a browser without cookies', async () => {
    const { forgetful, processor, till } = await street()
    processor.answer = () => ({ status: 'pending' })
    const { page, target } = await forgetful().pay(order)
    expect(stateOf(page)).toBe('pending')
    expect(page).toContain('Do not pay again.')
    expect(page).not.toMatch(/refresh|<script/)
    await till.payments.complete({ merchantId: 'books', id: 1 })
    expectNothingGiven((await forgetful().open(target)).page, processor.charged[0]?.authCode)
  })

  test('a payment that an earlier version started is not paid again by its address', async () => {
    const { newCustomer, till, processor } = await street()
    const attempt = 'k3bX0nVtT4u6f1Zp9sQw2g'
    const attemptKey = `checkout:shelf:${attempt}`
    await till.payments.start({ scanCode: 'shelf', totalAmount: 1850, requiredAmount: 1850, attemptKey })
    const old = `/shelf/pay/${attempt}?amount=1850`
    for (const { page } of [await newCustomer().open(old), await newCustomer().press(old, press)]) {
      expect(page).toContain('do not pay again')
      expect(page).not.toContain('<form')
    }
    expect(processor.charged).toEqual([])
  })
})

describe('whatever the clock says', () => {
  test('a form can be paid on and a result be seen, years from now and years ago', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { newCustomer, processor } = await street()
    const customer = newCustomer()
    const [{ target }, paid] = [await customer.open(order), await customer.pay('/shelf?id=HB-2&amount=500')]
    for (const years of [1, -2]) {
      vi.setSystemTime(Date.now() + years * 365 * 86_400_000)
      expect((await customer.open(target)).target).toBe(target)
      expect(stateOf((await customer.open(paid.target)).page)).toBe('completed')
    }
    expect(stateOf((await customer.press(target, press)).page)).toBe('completed')
    expect(processor.charged).toHaveLength(2)
  })
})

test('a form of more than 16 KiB is refused with a page, and nothing is charged', async () => {
  const { newCustomer, processor } = await street()
  const customer = newCustomer()
  const { target } = await customer.open(order)
  const { response, page } = await customer.press(target, { ...press, more: 'x'.repeat(1_000_000) })
  expect(response.status).toBe(413)
  expect(page).toContain('Nothing was charged by it.')
  expect(processor.charged).toEqual([])
  expect(stateOf((await customer.press(target, press)).page)).toBe('completed')
})

describe('the cookie', () => {
  test('is this host’s alone, out of reach of scripts and other sites, and kept for 30 days', async () => {
    const { checkout } = await openShop()
    const request = {
      method: 'GET',
      path: '/shelf',
      query: '',
      remoteAddress: undefined,
      body: async () => Buffer.of(),
    }
    const cookieOf = async (secure: boolean, cookie?: string) =>
      (await checkout.handler({ ...request, secure, headers: { cookie } })).headers['Set-Cookie']
    expect(await cookieOf(true)).toMatch(
      /^__Host-tillkit-visitor=[\w-]{22}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
    )
    const mine = 'x'.repeat(22)
    expect(await cookieOf(true, `a=b; __Host-tillkit-visitor=${mine}; c`)).toContain(`=${mine};`)
    for (const cookie of [
      `tillkit-visitor=${mine}`,
      `x__Host-tillkit-visitor=${mine}`,
      `__Host-tillkit-visitor=${mine}x`,
      '__Host-tillkit-visitor=',
      ';;=;'.repeat(4000),
    ]) {
      expect(await cookieOf(true, cookie)).toMatch(/=[\w-]{22};/)
      expect(await cookieOf(true, cookie)).not.toContain(mine)
    }
  })
})
