import { type Html, html } from '@tillkit/http'
import type { Action } from '../../routing/page.ts'
import type { MerchantVisit } from '../../routing/visit.ts'
import { attemptFacts } from '../../show/attempt.ts'
import { choice, secret } from '../../show/fields.ts'
import { button, disclosed, form } from '../../show/form.ts'

const OVERLAPS: readonly (readonly [string, string])[] = [
  ['86400', 'a day'],
  ['3600', 'an hour'],
  ['604800', 'a week'],
  ['0', 'no time: it signs no more at once'],
]

/** A test of the merchant's webhook URL, and the key that signs what goes there. */
export async function webhookSection(visit: MerchantVisit): Promise<Html> {
  const { merchant, visitor } = visit
  const test =
    merchant.webhookUrl !== null &&
    visitor.may('webhooks') &&
    form(
      visit,
      'testWebhook',
      html`<p>Posts a signed payment that was never made, of nothing, to <span class="mono">${merchant.webhookUrl}</span>.</p>${button('Send a test', 'quiet')}`,
    )
  const key =
    visitor.may('keys') &&
    disclosed(
      visit,
      'issueWebhookKey',
      'Issue a webhook key…',
      html`${choice('overlapSeconds', 'The key before signs as well for', '86400', OVERLAPS)}${button('Issue')}`,
    )
  const none =
    merchant.webhookUrl === null &&
    html`<p class="soft">There is no webhook URL: outcomes are posted nowhere.</p>`
  return html`<section class="card"><h2>Webhook</h2>${none}${test}${key}</section>`
}

/** What its forms do. */
export const webhookActions: Record<string, Action<MerchantVisit>> = {
  testWebhook: {
    needs: 'webhooks',
    name: 'webhooks.test',
    says: 'The test was sent.',
    async run({ till, merchant, to, path, settings }) {
      const attempt = await till.webhooks.sendTest(merchant.id)
      const outcome = attempt.error === null ? 'It was taken.' : 'It failed.'
      return {
        shown: {
          title: 'The webhook’s test',
          content: html`<section class="card"><p class="notice ${attempt.error === null ? 'good' : 'bad'}" role="status">${outcome}</p>
${attemptFacts(settings.formats, attempt)}<p><a href="${to(path)}">Back to the account</a></p></section>`,
        },
      }
    },
  },
  issueWebhookKey: {
    needs: 'keys',
    name: 'keys.issueWebhookKey',
    says: 'The webhook key was issued.',
    logs: ['overlapSeconds'],
    async run({ till, merchant, to, path }, form) {
      const overlapSeconds = Number(form.get('overlapSeconds'))
      const key = await till.merchants.issueWebhookKey(merchant.id, { overlapSeconds })
      return {
        shown: {
          title: 'A new webhook key',
          content: html`<section class="card"><p class="notice wait">This is the only time that anybody can see it. Deliveries are signed with it from now on.</p>
${secret('secret', 'Webhook key', key)}<p><a href="${to(path)}">Back to the account</a></p></section>`,
        },
      }
    },
  },
}
