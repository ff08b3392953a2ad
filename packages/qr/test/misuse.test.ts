import { encodedUrl, imageRequest, paymentUrl, qrImage, verifyPaymentUrl } from '@tillkit/qr'
import { expect, test } from 'vitest'

// Wrong in ways that the types forbid.
const [pay, image, request, encoded, verify] = [
  paymentUrl,
  qrImage,
  imageRequest,
  encodedUrl,
  verifyPaymentUrl,
] as ((...given: unknown[]) => unknown)[]

test.each([
  [pay, [], 'options must be an object'],
  [pay, [null], 'options must be an object'],
  [pay, ['https://pay.example.com'], 'options must be an object'],
  [image, ['https://pay.example.com/qr/A'], 'options must be an object'],
  [image, ['https://pay.example.com/qr/A', 'png'], 'options must be an object'],
  [encoded, [], 'options must be an object'],
  [verify, ['https://pay.example.com/qr/A'], 'options must be an object'],
  [verify, ['https://pay.example.com/qr/A', ['key']], 'keys '],
  [request, [], 'path must be a string'],
  [request, ['/qr/A.png'], 'rawQuery must be a string'],
  [request, [new URL('https://pay.example.com/qr/A.png'), ''], 'path must be a string'],
])('%# what is missing or of another kind is named: %s%j', async (call, given, message) => {
  await expect(async () => call?.(...given)).rejects.toMatchObject({
    name: 'QrError',
    code: 'invalid_input',
    message: expect.stringContaining(message),
  })
})
