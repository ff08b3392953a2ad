import { type Html, html } from '@tillkit/http'
import type { ApiKey } from '@tillkit/till'
import type { Action } from '../../routing/page.ts'
import type { MerchantVisit } from '../../routing/visit.ts'
import { moment } from '../../show/facts.ts'
import { choice, secret, textField } from '../../show/fields.ts'
import { button, disclosed, entered, form } from '../../show/form.ts'
import { table } from '../../show/table.ts'

const LIVES: readonly (readonly [string, string])[] = [
  ['', 'until it is revoked'],
  ['86400', 'a day'],
  ['2592000', '30 days'],
  ['31536000', 'a year'],
]

/** The keys that authenticate a merchant's requests. */
export async function apiKeySection(visit: MerchantVisit): Promise<Html> {
  const { till, merchant, visitor, settings } = visit
  const keys = await till.apiKeys.list(merchant.id)
  const may = visitor.may('keys')
  const columns = [
    { heading: 'Label', cell: ({ label }: ApiKey) => label || html`<span class="soft">none</span>` },
    { heading: 'Id', kind: 'wide' as const, cell: ({ id }: ApiKey) => html`<span class="mono">${id}</span>` },
    { heading: 'Issued', cell: ({ createdAt }: ApiKey) => moment(settings.formats, createdAt) },
    {
      heading: 'Expires',
      cell: ({ expiresAt }: ApiKey) => (expiresAt ? moment(settings.formats, expiresAt) : 'never'),
    },
    ...(may ? [{ heading: 'Revoke', cell: ({ id, label }: ApiKey) => revoke(visit, id, label) }] : []),
  ]
  const issue =
    may &&
    disclosed(
      visit,
      'issueKey',
      'Issue a key…',
      html`<div class="fields">${textField({
        name: 'label',
        label: 'Label',
        value: entered(visit, 'issueKey', 'label', ''),
        hint: 'To know it by in this list',
        most: 255,
      })}${choice('expiresInSeconds', 'Good for', entered(visit, 'issueKey', 'expiresInSeconds', ''), LIVES)}</div>${button('Issue')}`,
    )
  return html`<section class="card"><h2>API keys</h2>${table('Keys that were not revoked, oldest first', columns, keys, 'There are none.')}${issue}</section>`
}

function revoke(visit: MerchantVisit, id: string, label: string | null): Html {
  return html`<details><summary>Revoke…</summary>${form(
    visit,
    'revokeKey',
    html`<input type="hidden" name="key" value="${id}"><p>Requests with it get 401, in every process within seconds.</p><button class="danger">Revoke ${label || id}</button>`,
  )}</details>`
}

/** What its forms do. */
export const apiKeyActions: Record<string, Action<MerchantVisit>> = {
  issueKey: {
    needs: 'keys',
    name: 'keys.issue',
    says: 'The key was issued.',
    logs: ['label', 'expiresInSeconds'],
    async run({ till, merchant, to, path }, form) {
      const life = form.get('expiresInSeconds')
      const { id, apiKey } = await till.apiKeys.issue(merchant.id, {
        label: form.get('label') || null,
        expiresInSeconds: life === '' ? null : Number(life),
      })
      return {
        shown: {
          title: 'A new API key',
          content: html`<section class="card"><p class="notice wait">This is the only time that anybody can see it. Hand it to the merchant in a way that others cannot read.</p>
${secret('secret', `API key ${id}`, apiKey)}<p><a href="${to(path)}">Back to the account</a></p></section>`,
        },
      }
    },
  },
  revokeKey: {
    needs: 'keys',
    name: 'keys.revoke',
    says: 'The key was revoked.',
    logs: ['key'],
    async run({ till, merchant }, form) {
      await till.apiKeys.revoke(merchant.id, form.get('key'))
      return undefined
    },
  },
}
