/**
 * Webhooks for merchants' servers: receivers for `fetch`, Express, Fastify and plain Node, and what verifies and reads a
 * delivery where none of them fits. All of it works without the client, and without another package.
 *
 * @packageDocumentation
 */
export {
  formatWebhook,
  parseWebhook,
  type ReceivedStandardWebhook,
  type ReceivedWebhook,
  type StandardWebhook,
  signStandardWebhook,
  signWebhook,
  standardWebhooksSecret,
  type VocabularyOption,
  verifyStandardWebhook,
  verifyWebhook,
  type WebhookPayment,
  type WebhookVocabulary,
} from '@tillkit/webhook-signer'
export type { Vocabulary } from '../vocabulary/vocabulary.ts'
export {
  type FastifyInstanceLike,
  type FastifyReplyLike,
  type FastifyRequestLike,
  fastifyWebhooks,
} from './fastify-webhooks.ts'
export { fetchWebhooks } from './fetch-webhooks.ts'
export { expressWebhooks, type NodeRequest, type NodeResponse, nodeWebhooks } from './node-webhooks.ts'
export type { PaymentHandler, WebhookOptions } from './webhook-options.ts'
