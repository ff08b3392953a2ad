import { qrEndpoints } from '@tillkit/http'
import { paymentUrl, qrImage } from '@tillkit/qr'
import { expect, test } from 'vitest'
import { openTill, parsed, send } from '../fixture.ts'

const qrBaseUrl = 'https://pay.example.com'
const vocabulary = {
  id: 'order',
  scan_code_size: 'snap_code_size',
  scan_code_signature: 'proof',
  qr: 'pay',
  message: 'text',
}

test('images have the size that its word asks for, and encode everything else', async () => {
  const { till, code } = await openTill()
  const qr = qrEndpoints(till, { qrBaseUrl, vocabulary })
  const { status, body } = await send(qr, `/${code}.png?snap_code_size=300&order=7&scan_code_size=90`)
  expect(status).toBe(200)
  const url = `${qrBaseUrl}/pay/${code}?order=7&scan_code_size=90`
  expect(body).toEqual(await qrImage(url, { type: 'png', size: 300 }))
  const refused = await send(qr, `/${code}.png?snap_code_size=9`)
  expect(parsed(refused)).toEqual({
    text: 'snap_code_size must be an integer from 50 to 500',
    code: 'invalid_parameter',
  })
  const small = await send(qr, `/${code}.png?snap_code_size=50&a=${'x'.repeat(700)}`)
  expect(parsed(small).text).toMatch(/^snap_code_size /)
  expect(parsed(await send(qr, '/unknown')).text).toBe('There is no such scan code')
})

test('a scan is read by its words, and what the host answers stays as it is', async () => {
  const { till, code } = await openTill()
  const scans: unknown[] = []
  const qr = qrEndpoints(till, {
    qrBaseUrl,
    vocabulary,
    onScan(scan) {
      scans.push(scan)
      return { status: 409, headers: { 'Content-Type': 'application/json' }, body: '{"message":"mine"}' }
    },
  })
  const response = await send(qr, `/${code}?order=7&id=5&amount=100`)
  expect(scans).toEqual([{ scanCode: code, merchantReference: '7', requiredAmount: 100, extra: { id: '5' } }])
  expect(response).toMatchObject({ status: 409, body: '{"message":"mine"}' })
})

test('an order number that no payment can have is named by its word', async () => {
  const { till, code } = await openTill()
  const qr = qrEndpoints(till, { qrBaseUrl, vocabulary })
  const refused = await send(qr, `/${code}?order=${'7'.repeat(256)}`)
  expect([refused.status, parsed(refused).text]).toEqual([
    400,
    expect.stringMatching(/^order must be text of/),
  ])
  expect((await send(qr, `/${code}?id=${'7'.repeat(256)}`)).status).toBe(200)
})

test('signatures are looked for under their word', async () => {
  const { till, code } = await openTill()
  const key = 'k'.repeat(32)
  const qr = qrEndpoints(till, { qrBaseUrl, vocabulary, paymentKeys: [key] })
  const below = (url: string) => url.slice(`${qrBaseUrl}/pay`.length)
  const order = { qrBaseUrl, scanCode: code, merchantReference: '7', vocabulary }
  expect((await send(qr, below(paymentUrl(order, { key })))).status).toBe(200)
  const unsigned = await send(qr, below(paymentUrl(order)))
  expect(parsed(unsigned).text).toMatch(/^proof must be there/)
})

test('the word for qr is where the URL may not end', async () => {
  const { till } = await openTill()
  const at = (base: string) => () => qrEndpoints(till, { qrBaseUrl: base, vocabulary })
  expect(at('https://pay.example.com/pay')).toThrow(
    'qrBaseUrl must not end in /pay: that is what is added to it',
  )
  expect(at('https://pay.example.com/qr')).not.toThrow()
  expect(() => qrEndpoints(till, { qrBaseUrl, vocabulary: { amount: 'id' } })).toThrow(
    'vocabulary.amount must not be id',
  )
})
