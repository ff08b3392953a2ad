import { parseJson } from './parse-json.ts'
import { checkRawBody } from './raw-body.ts'
import type { WebhookPayment } from './webhook-payment.ts'
import { type VocabularyOption, type WebhookVocabulary, wordOf } from './webhook-vocabulary.ts'

/**
 * The payment object of a delivery's body (API 6.3), under our names whatever the vocabulary calls them. Verify the body first: this looks at its form only, and
 * takes the fields of the object as they are.
 *
 * Throws a SyntaxError for a body without `payload`, with more than one, or with one that is no JSON object, and a
 * TypeError for a body that is neither a string nor bytes.
 */
export function parseWebhook(
  rawBody: string | Uint8Array,
  { vocabulary }: VocabularyOption = {},
): WebhookPayment {
  checkRawBody(rawBody)
  const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)
  const field = wordOf(vocabulary, 'payload')
  const [payload, ...more] = new URLSearchParams(text).getAll(field)
  if (payload === undefined || more.length > 0) throw new SyntaxError(`rawBody must have one field ${field}`)
  const payment = json(payload, field)
  if (typeof payment !== 'object' || payment === null || Array.isArray(payment)) {
    throw new SyntaxError(`${field} of rawBody must be a JSON object`)
  }
  return (vocabulary === undefined ? payment : renamed(payment, vocabulary)) as WebhookPayment
}

/** The names that a vocabulary may have words for; what else is in it is not for fields of a payment. */
const FIELDS: readonly (keyof WebhookPayment)[] = [
  'id',
  'status',
  'date',
  'totalAmount',
  'tipAmount',
  'scanCode',
  'scanCodeReference',
  'userReference',
  'statementReference',
  'isVoucher',
  'isVoucherRedemption',
  'requiredAmount',
  'merchantReference',
  'authCode',
  'extra',
]

/** What the provider sends beside those stays as it is. */
function renamed(payment: object, vocabulary: WebhookVocabulary): object {
  const names = new Map(FIELDS.map(name => [wordOf(vocabulary, name), name]))
  return Object.fromEntries(Object.entries(payment).map(([word, value]) => [names.get(word) ?? word, value]))
}

function json(payload: string, field: string): unknown {
  try {
    return parseJson(payload)
  } catch (cause) {
    throw new SyntaxError(`${field} of rawBody is not JSON`, { cause })
  }
}
