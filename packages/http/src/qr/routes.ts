import { reference, scanCode } from '@tillkit/domain'
import { IMAGE_SIZES } from '@tillkit/qr'
import { z } from 'zod'
import { type AnswerHeader, ON_IMAGES, ON_SCANS } from '../description/answer-headers.ts'
import { errorAnswer, fault, invalid, missing, troubles } from '../description/error-answers.ts'
import type { Answer, AnswerBody, RouteDescription } from '../description/route-description.ts'

const parameters = z.object({ scanCode: scanCode.describe('The code of one of the merchant’s places.') })

const query = z.object({
  id: reference
    .optional()
    .describe('An order number, shown to the customer: `merchantReference` of the payment.')
    .meta({ examples: ['INV-1002'] }),
  amount: z
    .int()
    .min(0)
    .optional()
    .describe('What is owed, in cents, shown to the customer: `requiredAmount` of the payment.')
    .meta({ examples: [1250] }),
  strict: z.boolean().optional().describe('The same `id` cannot be paid twice, nor for less than `amount`.'),
  scan_code_signature: z
    .string()
    .optional()
    .describe('Made by the programs of a provider that signs its URLs; then nothing else is taken.'),
  scan_code_expires: z
    .string()
    .optional()
    .describe('When a signed URL ends, in seconds since 1970; made with the signature.'),
})

/** An image holds the query of its URL byte for byte: what it says is looked at when the code is scanned. */
const passedOn = (name: string) =>
  z.string().optional().describe(`\`${name}\` of the payment URL, which the image holds as it is.`)

const imageQuery = z.object({
  id: passedOn('id'),
  amount: passedOn('amount'),
  strict: passedOn('strict'),
  scan_code_signature: query.shape.scan_code_signature,
  scan_code_expires: query.shape.scan_code_expires,
  scan_code_size: z
    .int()
    .min(IMAGE_SIZES.smallest)
    .max(IMAGE_SIZES.largest)
    .default(IMAGE_SIZES.preset)
    .describe('Width and height in pixels.'),
})

const headers = z.object({
  'If-None-Match': z.string().optional().describe('The `ETag` of an image that is there already.'),
})

const OTHERS = 'Any other names, up to 50 of them and 8 KiB: handed back in `extra` of the payment.'
const WRONG_AMOUNT = 'amount must be a whole number of cents from 0 to 2^53 - 1'
const WRONG_SIZE = `scan_code_size must be an integer from ${IMAGE_SIZES.smallest} to ${IMAGE_SIZES.largest}`
const HTML: AnswerBody[] = [{ mediaType: 'text/html', schema: null }]
const PAGE: readonly AnswerHeader[] = [
  ...ON_SCANS,
  'Content-Security-Policy',
  'X-Content-Type-Options',
  'Referrer-Policy',
]

/** All that is answered beside what was asked for. */
function others(wrong: string, on: readonly AnswerHeader[]): Answer[] {
  return [invalid(wrong, on), missing('There is no such scan code', on), fault(on), ...troubles(on)]
}

const HTTPS_REQUIRED = 'The request came over plain HTTP.'

function image(type: 'svg' | 'png', mediaType: string): RouteDescription {
  const kept: readonly AnswerHeader[] = [...ON_IMAGES, 'ETag']
  return {
    method: 'GET',
    path: `/{scanCode}.${type}`,
    operationId: `get${type === 'svg' ? 'Svg' : 'Png'}Image`,
    summary: `A QR code as ${type.toUpperCase()}`,
    description:
      'An image of the QR code of the payment URL with the same query, without the extension and `scan_code_size`. ' +
      'A PNG with fewer pixels than the code needs, and a URL of more than 800 characters, are 400.',
    tag: 'QR codes',
    open: true,
    parameters,
    query: imageQuery,
    otherParameters: OTHERS,
    headers,
    answers: [
      {
        status: 200,
        description: 'The image.',
        bodies: [{ mediaType, schema: null }],
        headers: [...kept, 'Content-Security-Policy', 'X-Content-Type-Options'],
      },
      { status: 304, description: 'The image is the one that is there already.', headers: kept },
      errorAnswer(403, HTTPS_REQUIRED, { https_required: 'HTTPS is required' }, ON_IMAGES),
      ...others(WRONG_SIZE, ON_IMAGES),
    ],
  }
}

/** What `qrEndpoints` answers (API 4.7), below `/qr`, where the host answers no scans itself. */
export const qrRoutes: readonly RouteDescription[] = [
  {
    method: 'GET',
    path: '/{scanCode}',
    operationId: 'openPaymentUrl',
    summary: 'The page to pay on',
    description:
      'What a QR code carries: the page that a customer sees who has scanned it. Its looks are the provider’s.',
    tag: 'QR codes',
    open: true,
    parameters,
    query,
    otherParameters: OTHERS,
    answers: [
      { status: 200, description: 'The page.', bodies: HTML, headers: PAGE },
      {
        ...errorAnswer(
          403,
          `${HTTPS_REQUIRED} Or the code takes no payments now, and a page says so.`,
          { https_required: 'HTTPS is required' },
          PAGE,
        ),
        bodies: HTML,
      },
      ...others(WRONG_AMOUNT, ON_SCANS),
    ],
  },
  image('svg', 'image/svg+xml'),
  image('png', 'image/png'),
]
