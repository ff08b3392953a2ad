import { findScan, LinkError } from '@tillkit/checkout'
import { paymentUrl, qrImage } from '@tillkit/qr'
import { describe, expect, test } from 'vitest'
import { openShop, QR_BASE_URL, send } from './shop.ts'

const vocabulary = { id: 'order', amount: 'cents', scan_code_size: 'snap_code_size', qr: 'pay' }
const options = { vocabulary }

describe('a checkout in other words', () => {
  test('takes a payment of a URL in them, and what has an old name is an extra', async () => {
    const { customer, processor } = await openShop(options)
    const order = {
      scanCode: 'shelf',
      merchantReference: 'o-1',
      requiredAmount: 500,
      extra: { id: '5', amount: '1' },
    }
    const url = paymentUrl({ qrBaseUrl: QR_BASE_URL, ...order, vocabulary })
    expect(url).toBe(`${QR_BASE_URL}/pay/shelf?order=o-1&cents=500&id=5&amount=1`)
    const { response } = await customer.pay(url.slice(`${QR_BASE_URL}/pay`.length))
    expect(response.status).toBe(200)
    expect(processor.charged).toMatchObject([
      { merchantReference: 'o-1', requiredAmount: 500, extra: order.extra },
    ])
    expect(processor.contexts[0]?.returnUrl).toMatch(
      /^https:\/\/pay\.example\.com\/pay\/shelf\/pay\/[\w-]{48}\/back\/[\w-]+$/,
    )
  })

  test('draws its images, and says what is wrong with a link', async () => {
    const { checkout, till } = await openShop(options)
    const image = await send(checkout.handler, '/shelf.png?snap_code_size=200&order=7')
    const url = `${QR_BASE_URL}/pay/shelf?order=7`
    expect(image.body).toEqual(await qrImage(url, { type: 'png', size: 200 }))
    const wrong = await findScan(till, 'shelf', 'cents=x', undefined, vocabulary).catch(error => error)
    expect(wrong).toBeInstanceOf(LinkError)
    expect(wrong).toMatchObject({
      fault: 'amount',
      message: 'cents must be a whole number of cents from 0 to 2^53 - 1',
    })
    const twice = await findScan(till, 'shelf', 'order=1&order=2', undefined, vocabulary).catch(
      error => error,
    )
    expect(twice).toMatchObject({ fault: 'orderTwice', message: 'order must be given only once' })
    const scan = await findScan(till, 'shelf', 'amount=x', undefined, vocabulary)
    expect(scan?.parameters).toEqual({ scanCode: 'shelf', extra: { amount: 'x' } })
  })

  test('takes signed URLs in them', async () => {
    const key = 'k'.repeat(32)
    const { customer } = await openShop({ ...options, paymentKeys: [key] })
    const order = {
      qrBaseUrl: QR_BASE_URL,
      scanCode: 'shelf',
      merchantReference: 'o-1',
      requiredAmount: 500,
      vocabulary,
    }
    const below = (url: string) => url.slice(`${QR_BASE_URL}/pay`.length)
    expect((await customer.pay(below(paymentUrl(order, { key })))).response.status).toBe(200)
    expect((await customer.open(below(paymentUrl(order)))).response.status).toBe(400)
  })

  test('refuses a vocabulary that does not fit, naming the entry', async () => {
    await expect(openShop({ vocabulary: { id: 'amount' } })).rejects.toThrow(
      'vocabulary.id must not be amount',
    )
  })
})
