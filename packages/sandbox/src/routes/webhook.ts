import { DELIVERY_STATES, merchantPatch } from '@tillkit/domain'
import { type HttpResponse, json, paginationHeaders, paginationQuery } from '@tillkit/http'
import { z } from 'zod'
import type { Ledger } from '../ledger/ledger.ts'
import { blamingWords, type NamesByWord } from '../names-in-words.ts'
import { bodyRoute, listRoute, plainRoute } from './sandbox-route.ts'

const url = z.string().nullable().describe('Where outcomes are posted; null sends none.')
/** What a till calls it. */
const OWN_NAMES: NamesByWord = new Map([['url', 'webhookUrl']])

const where = z.object({
  url,
  key: z.string().optional().describe('The webhook authentication key, in the answer that issues it.'),
})

const time = z.string().meta({ format: 'date-time' })
const delivery = z.object({
  paymentId: z.int().min(1).describe('The payment that it tells of.'),
  state: z.enum(DELIVERY_STATES).describe('`pending` until it was received, or was tried for the last time.'),
  attempts: z.int().min(0).describe('How often it was tried.'),
  nextAttemptAt: time.nullable().describe("When it is due, by the ledger's clock; null when it is over."),
  lastAttemptAt: time.nullable().describe('When it was tried last.'),
  lastStatus: z
    .int()
    .min(100)
    .max(999)
    .nullable()
    .describe('The HTTP status of the last answer; null when none came.'),
  lastError: z.string().nullable().describe('Why the last attempt failed; null after a success.'),
})

async function webhookOf({ till, merchantId }: Ledger, key?: string): Promise<HttpResponse> {
  const merchant = await till.merchants.get(merchantId)
  return json(200, { url: merchant?.webhookUrl ?? null, ...(key === undefined ? {} : { key }) })
}

/** `GET /sandbox/webhook` */
export const getWebhook = plainRoute(
  {
    at: 'GET /sandbox/webhook',
    operationId: 'getTestWebhook',
    summary: 'Where webhooks go',
    description: 'The webhook URL of the test ledger. That of the live account is another.',
    answers: { description: 'The URL.', schema: where, example: { url: 'https://shop.example.com/hook' } },
  },
  ledger => webhookOf(ledger),
)

/** `POST /sandbox/webhook` */
export const setWebhook = bodyRoute(
  {
    at: 'POST /sandbox/webhook',
    operationId: 'setTestWebhook',
    summary: 'Says where webhooks go, and issues their key',
    description:
      'A URL that is left out stays. `issueKey` replaces the key, and the answer shows the new one, this once.',
    body: z.strictObject({
      url: merchantPatch.shape.webhookUrl.describe(
        'Where outcomes are posted, an https URL without a user name or password; null sends none.',
      ),
      issueKey: z.boolean().optional().describe('Whether the key is made anew.'),
    }),
    answers: {
      description: 'The URL, and the key where one was issued.',
      schema: where,
      example: { url: 'https://shop.example.com/hook', key: `whk_${'0'.repeat(64)}` },
      invalid:
        'url must be an http or https URL of at most 2048 characters without a user name, a password or NUL',
    },
  },
  async (ledger, { url, issueKey }) => {
    const { till, merchantId } = ledger
    if (url !== undefined) {
      await blamingWords(OWN_NAMES, () => till.merchants.update(merchantId, { webhookUrl: url }))
    }
    return webhookOf(ledger, issueKey ? await till.merchants.issueWebhookKey(merchantId) : undefined)
  },
)

/** `GET /sandbox/webhooks` */
export const listWebhooks = listRoute(
  {
    at: 'GET /sandbox/webhooks',
    operationId: 'listTestWebhooks',
    summary: 'What became of each webhook',
    description: 'Newest payment first.',
    query: paginationQuery,
    answers: {
      description: 'One page of webhooks.',
      schema: z.array(delivery),
      example: [
        {
          paymentId: 1,
          state: 'pending',
          attempts: 1,
          nextAttemptAt: '2026-01-01T00:00:05.000Z',
          lastAttemptAt: '2026-01-01T00:00:00.000Z',
          lastStatus: 500,
          lastError: 'answered with 500',
        },
      ],
      pages: true,
    },
  },
  async ({ till, merchantId }, page) => {
    const { items, total } = await till.webhooks.list(merchantId, page)
    const shown = items.map(
      ({ paymentId, state, attempts, nextAttemptAt, lastAttemptAt, lastStatus, lastError }) => ({
        ...{ paymentId, state, attempts, nextAttemptAt },
        ...{ lastAttemptAt, lastStatus, lastError },
      }),
    )
    return json(200, shown, paginationHeaders(page, total))
  },
)
