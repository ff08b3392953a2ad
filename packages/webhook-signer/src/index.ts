export { formatWebhook } from './format-webhook.ts'
export { parseWebhook } from './parse-webhook.ts'
export { signWebhook } from './sign-webhook.ts'
export { type StandardWebhook, signStandardWebhook } from './standard-webhooks/sign-standard-webhook.ts'
export { standardWebhooksSecret } from './standard-webhooks/standard-webhooks-secret.ts'
export {
  type ReceivedStandardWebhook,
  verifyStandardWebhook,
} from './standard-webhooks/verify-standard-webhook.ts'
export { type ReceivedWebhook, verifyWebhook } from './verify-webhook.ts'
export type { WebhookPayment } from './webhook-payment.ts'
export type { VocabularyOption, WebhookVocabulary } from './webhook-vocabulary.ts'
