import { newScanCode, type ScanCode } from '@tillkit/domain'
import { json } from '@tillkit/http'
import { z } from 'zod'
import { ledgerCode } from '../names.ts'
import { bodyRoute, plainRoute } from './sandbox-route.ts'

const schema = z.object({
  code: z.string().describe('What the QR code carries.'),
  reference: z.string().nullable().describe('`scanCodeReference` of its payments.'),
})
const example = { code: 'counter', reference: 'Counter' }
const shown = ({ code, reference }: ScanCode) => ({ code, reference })

/** `GET /sandbox/scan_codes` */
export const listScanCodes = plainRoute(
  {
    at: 'GET /sandbox/scan_codes',
    operationId: 'listTestScanCodes',
    summary: 'The scan codes of the ledger',
    description: 'All of them, oldest first.',
    answers: { description: 'The scan codes.', schema: z.array(schema), example: [example] },
  },
  async ({ till, merchantId }) => json(200, (await till.scanCodes.list(merchantId)).map(shown)),
)

/** `POST /sandbox/scan_codes` */
export const createScanCode = bodyRoute(
  {
    at: 'POST /sandbox/scan_codes',
    operationId: 'createTestScanCode',
    summary: 'Adds a scan code',
    description: 'At most 100 of them. A code may be one that the live account has.',
    body: z.strictObject({
      code: ledgerCode.optional().describe('What the QR code carries; made up from the seed when left out.'),
      reference: newScanCode.shape.reference.describe('`scanCodeReference` of its payments.'),
    }),
    answers: {
      description: 'The scan code.',
      schema,
      example,
      invalid: 'code must be 1 to 40 of A-Za-z0-9_-',
      conflict: 'scan code counter is taken',
    },
  },
  async (ledger, body) => json(200, shown(await ledger.addCode(body))),
)
