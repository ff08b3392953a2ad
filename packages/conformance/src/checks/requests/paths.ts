import type { Account } from '../../account/account.ts'
import type { Check } from '../../session/check.ts'

/** No instance has a payment of this id, nor ever will. */
const NO_ID = 9007199254740991
const NO_REFERENCE = 'f'.repeat(32)

/** API 4 and 7.1: what there is not. */
export const paths: Check = {
  name: 'unknown-paths',
  section: '7.1',
  title: 'an unknown path is 404, before its method and parameters',
  async run(session) {
    const unknown = [
      '/nowhere',
      '/Payments',
      '/CASH_UPS',
      '/payments/1/2',
      '/payments/cash_ups',
      '/cash_ups/1',
      `/cash_ups/${NO_REFERENCE}`,
      '/payments/cash_ups/1/2',
      '/payment',
      '/paymentsx',
      '/payments.json',
      '/payments/1.json',
      '/cash-ups',
      '/cash_ups.json',
    ]
    for (const path of unknown) session.expectStatus(await session.get(path), 404, 'for a path that is none')
    session.expectStatus(await session.get('/nowhere', 'page=0'), 404, 'for a path that is none')
    session.expectStatus(
      await session.ask({ path: '/nowhere', method: 'POST' }),
      404,
      'for a path that is none',
    )
    session.expectStatus(
      await session.ask({ path: '/nowhere', method: 'HEAD' }),
      404,
      'for a path that is none',
    )
  },
}

/** API 7.1: methods that a path does not have. What could do something elsewhere is sent only where that is allowed. */
export function methods(destructive: boolean): Check {
  return {
    name: 'other-methods',
    section: '7.1',
    title: 'another method is 405 with Allow, before parameters',
    async run(session) {
      const asked: [method: string, path: string, query?: string][] = [
        ['POST', '/payments'],
        ['POST', '/payments', 'page=0'],
        ['PATCH', `/payments/${NO_ID}`],
        ['POST', `/payments/${NO_ID}`],
        ['POST', `/payments/cash_ups/${NO_REFERENCE}`],
        ['PATCH', '/cash_ups'],
      ]
      if (destructive) {
        asked.push(
          ['DELETE', '/payments'],
          ['PUT', '/payments'],
          ['PATCH', '/payments/1'],
          ['DELETE', '/cash_ups'],
        )
      }
      for (const [method, path, query] of asked) {
        const answer = await session.ask({ method, path, ...(query && { query }) })
        session.expectStatus(answer, 405, `for ${method}`)
      }
    },
  }
}

/** API 7.1 and 8.1: addresses that are too long. */
export const sizes: Check = {
  name: 'sizes',
  section: '8.1',
  title: 'a query of more than 8 KiB is 414, of more than 100 parameters 400',
  async run(session) {
    const hundred = Array.from({ length: 100 }, (_, i) => `x${i}=1`).join('&')
    session.expectStatus(await session.get('/payments', hundred), 200, 'for 100 parameters')
    session.expectStatus(await session.get('/payments', `${hundred}&y=1`), 400, 'for 101 parameters')
    session.expectStatus(await session.get('/payments', `x=${'x'.repeat(7000)}`), 200, 'for 7,000 characters')
    for (const [path, query] of [
      ['/payments', `x=${'x'.repeat(8200)}`],
      [`/payments/${'1'.repeat(8200)}`, undefined],
    ] as const) {
      const answer = await session.get(path, query)
      // Servers and proxies may refuse it before the API sees it.
      if (answer.status !== 431) session.expectStatus(answer, 414, 'for more than 8 KiB')
    }
  },
}

/** API 1.1: a slash at the end, and `HEAD`. */
export function slashesAndHeads({ window }: Account): Check {
  // What comes in meanwhile is no difference.
  const before = `endDate=${window?.endDate ?? '2000-01-01T00:00:00Z'}`
  return {
    name: 'slashes-and-heads',
    section: '1.1',
    title: 'a slash at the end changes nothing; HEAD answers as GET, without the body',
    async run(session) {
      const asked: [path: string, query?: string][] = [
        ['/payments', `${before}&perPage=2`],
        ['/payments', `${before}&perPage=2&page=2`],
        ['/payments/1'],
        [`/payments/${NO_ID}`],
        ['/cash_ups', 'perPage=2'],
        ['/payments/cash_ups/0'],
        ['/payments', 'page=0'],
      ]
      for (const [path, query] of asked) {
        const get = await session.get(path, query)
        const slashed = await session.get(`${path}/`, query)
        if (slashed.status !== get.status || slashed.text !== get.text) {
          session.differ(
            `with a slash at the end it is ${slashed.status}, without ${get.status}, or another body`,
            slashed,
          )
        }
        const head = await session.ask({ method: 'HEAD', path, ...(query && { query }) })
        if (!session.expectStatus(head, get.status, 'as for GET')) continue
        const same = [
          'content-type',
          'content-length',
          'x-total',
          'x-total-pages',
          'x-next-page',
          'x-prev-page',
        ]
        for (const name of same) {
          if (head.header(name) !== get.header(name)) {
            session.differ(`${name} of HEAD is ${head.header(name)}, of GET ${get.header(name)}`, head)
          }
        }
      }
    },
  }
}
