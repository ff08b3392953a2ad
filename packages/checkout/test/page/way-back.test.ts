import { paymentUrl } from '@tillkit/qr'
import { describe, expect, test } from 'vitest'
import { customerOf, openShop, QR_BASE_URL } from '../shop.ts'

const key = 'k1-0123456789abcdef0123456789abcdef'
const back = 'https://shop.example/thanks?order=7&a=b'
const shop = { returnOrigins: ['https://shop.example'] }
const linkTo = (returnUrl: string) => `/shelf?id=HB-1&amount=1850&returnUrl=${encodeURIComponent(returnUrl)}`

/** The addresses that a page leads to, outside of it. */
const away = (page: string) =>
  [...page.matchAll(/(?:href|action|src|url)="?([^">]*)/g)]
    .map(([, address = '']) => address.replaceAll('&#38;', '&'))
    .filter(address => /^[a-z]+:|^\/\//i.test(address))

/** The payment URL of the shop, signed, below the mount. */
function signed(returnUrl: string, expiresAt?: string): string {
  const order = { scanCode: 'shelf', merchantReference: 'HB-1', requiredAmount: 1850, extra: { returnUrl } }
  const url = paymentUrl({ qrBaseUrl: QR_BASE_URL, ...order }, { key, ...(expiresAt && { expiresAt }) })
  return url.slice(`${QR_BASE_URL}/qr`.length)
}

describe('the way back to the shop', () => {
  test('is on the form and on every outcome, the same on all of them', async () => {
    const { customer, processor, till } = await openShop({ shop })
    expect(away((await customer.open(linkTo(back))).page)).toEqual([back])
    for (const status of ['completed', 'error', 'pending'] as const) {
      processor.answer = () => ({ status })
      const { page } = await customer.pay(linkTo(back))
      expect(away(page)).toEqual([back])
      expect(page).toContain('Back to Harbour Books')
    }
    expect(await till.payments.get('books', 1)).toMatchObject({ extra: { returnUrl: back } })
  })

  test('is on the page of an order that is paid already', async () => {
    const { customer } = await openShop({ shop })
    await customer.pay(`${linkTo(back)}&strict=true`)
    expect(away((await customer.open(`${linkTo(back)}&strict=true`)).page)).toEqual([back])
  })

  test('leads to an origin that the host named, and nowhere else', async () => {
    const { customer } = await openShop({ shop })
    for (const evil of [
      ...['https://evil.example/', 'https://shop.example.evil.example/', 'https://shop.example:444/'],
      ...[
        'http://shop.example/',
        'https://sub.shop.example/',
        '//evil.example',
        '/\\evil.example',
        '/thanks',
      ],
      ...[
        'javascript:alert(1)',
        'JavaScript:alert(1)//https://shop.example',
        'data:text/html,x',
        'ftp://shop.example',
      ],
      ...[
        'https://shop.example@evil.example/',
        'https://user@shop.example/',
        'https://user:pass@shop.example/',
      ],
      ...['https://@shop.example/', 'https:shop.example/', 'https:/shop.example/', 'https:///shop.example/'],
      ...[
        'https://shop.example\\@evil.example/',
        'https:\\\\shop.example/',
        'https://evil.example\\.shop.example/',
      ],
      ...[
        ' https://shop.example/',
        'https://shop.example/\n',
        'https://shop.example/a b',
        'https://shop.example/\u0000',
      ],
      ...[
        'java\tscript:alert(1)',
        'https://evil.example#@shop.example/',
        'https://evil.example?@shop.example/',
      ],
      ...[
        'https://ѕhop.example/',
        'https://shop.example/\u202e',
        '',
        'x',
        `https://shop.example/${'x'.repeat(2100)}`,
      ],
      ...['blob:https://shop.example/1', 'https://shop.example%2eevil.example/', 'https://shop。example/'],
    ]) {
      const { page, response } = await customer.open(linkTo(evil))
      expect([evil, away(page)]).toEqual([evil, []])
      expect([evil, response.status === 200 || response.status === 400]).toEqual([evil, true])
    }
    expect(away((await customer.open(linkTo('https://SHOP.example:443/a'))).page)).toEqual([
      'https://shop.example/a',
    ])
  })

  test('is not there where the host named none: then it is a parameter as any other', async () => {
    const { customer, till } = await openShop()
    const { page } = await customer.pay(linkTo(back))
    expect(away(page)).toEqual([])
    expect(await till.payments.get('books', 1)).toMatchObject({ extra: { returnUrl: back } })
  })

  test('in a signed link leads to any https address, also when the link has ended since', async () => {
    let now = new Date('2026-11-20T09:30:00Z')
    const { customer, another } = await openShop({ paymentKeys: [key] }, { clock: () => now })
    const paid = await customer.pay(signed(back, '2026-11-20T10:00:00Z'))
    expect(away(paid.page)).toEqual([back])
    now = new Date('2026-11-20T11:00:00Z')
    expect(away((await customer.open(paid.target)).page)).toEqual([back])
    // Without its key nobody answers for it any more; what was paid stays to be seen.
    const later = customerOf(request =>
      another({ paymentKeys: ['k2-0123456789abcdef0123456789abcdef'] }).handler({
        ...request,
        headers: { ...request.headers, cookie: customer.cookie() },
      }),
    )
    const seen = await later.open(paid.target)
    expect(seen.page).toContain('<h1>Paid</h1>')
    expect(away(seen.page)).toEqual([])
  })

  test('and even there to nothing that is no https address', async () => {
    const { customer } = await openShop({ paymentKeys: [key] })
    for (const evil of [
      'javascript:alert(1)',
      'http://shop.example/',
      'https://a@evil.example/',
      '//evil.example',
    ])
      expect(away((await customer.open(signed(evil))).page)).toEqual([])
  })

  test('where a merchant’s links are taken unsigned, needs the list', async () => {
    const { customer } = await openShop({ paymentKeys: () => null, shop })
    expect(away((await customer.open(linkTo(back))).page)).toEqual([back])
    expect(away((await customer.open(linkTo('https://evil.example/'))).page)).toEqual([])
  })

  test('over plain HTTP is for local work only', async () => {
    const { customer } = await openShop({ https: 'off', shop: { returnOrigins: ['http://localhost:4000'] } })
    expect(away((await customer.open(linkTo('http://localhost:4000/done'))).page)).toEqual([
      'http://localhost:4000/done',
    ])
  })

  test.each([
    'shop.example',
    'https://shop.example/',
    'https://shop.example/shop',
    'https://user@shop.example',
    'javascript:alert(1)',
    'null',
    '*',
    'HTTPS://shop.example',
  ])('an origin %s that is none is named', async origin => {
    await expect(openShop({ shop: { returnOrigins: [origin] } })).rejects.toThrow(
      /^shop.returnOrigins.0 must be an origin such as https:\/\/shop.example.com/,
    )
  })
})
