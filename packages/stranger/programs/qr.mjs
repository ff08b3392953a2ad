// What @tillkit/qr is for, on whatever a merchant runs: what was drawn can be read, and means what was put in.
import assert from 'node:assert/strict'
import { parsePaymentUrl, paymentUrl, QrError, qrImage } from '@tillkit/qr'
import read from 'jsqr'
import { PNG } from 'pngjs'

const payment = {
  scanCode: 'Table_7',
  merchantReference: 'order-1023',
  requiredAmount: 12900,
  strict: true,
  extra: { waiter: 'Zoë', __proto: 'x' },
}
const url = paymentUrl({ qrBaseUrl: 'https://pay.example.com', ...payment })
assert.deepEqual({ ...parsePaymentUrl(url), extra: { ...parsePaymentUrl(url).extra } }, payment)

for (const size of [125, 200, 500]) {
  const png = PNG.sync.read(Buffer.from(await qrImage(url, { type: 'png', size })))
  assert.equal(png.width, size)
  assert.equal(read(new Uint8ClampedArray(png.data), size, size).data, url)
}
assert.match(String(await qrImage(url, { type: 'svg', size: 200 })), /^<svg/)
assert.throws(() => paymentUrl({ qrBaseUrl: 'https://pay.example.com/qr', scanCode: 'a' }), QrError)
