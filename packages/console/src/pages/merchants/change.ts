import { type Html, html } from '@tillkit/http'
import type { Action } from '../../routing/page.ts'
import type { MerchantVisit } from '../../routing/visit.ts'
import { facts } from '../../show/facts.ts'
import { button, disclosed, form } from '../../show/form.ts'
import { changedFields, changesOf, shownAgain, shownBefore } from './merchant-changes.ts'
import { merchantFields } from './merchant-form.ts'

/** A merchant's name, webhook URL and features, and whether it takes payments. */
export function changeSection(visit: MerchantVisit): Html {
  const { merchant, visitor } = visit
  if (!visitor.may('merchants')) {
    const on = Object.entries(merchant.features).flatMap(([name, is]) => (is ? [name] : []))
    return html`<section class="card"><h2>Settings</h2>${facts([
      ['Name', merchant.name],
      ['Webhook URL', merchant.webhookUrl ?? 'none'],
      ['Features', on.join(', ') || 'none'],
    ])}</section>`
  }
  const suspension =
    merchant.suspendedAt === null
      ? disclosed(
          visit,
          'suspend',
          'Suspend…',
          html`<p>No payment starts any more, in any process, and its API keys get 403. What was started gets its outcome and its webhook.</p>${button('Suspend', 'danger')}`,
        )
      : form(visit, 'resume', button('Resume'))
  return html`<section class="card"><h2>Settings</h2>${form(
    visit,
    'change',
    html`${shownBefore(merchant)}${merchantFields(shownAgain(visit), 'change', merchant)}${button('Save')}`,
  )}${suspension}</section>`
}

/** What its forms do. */
export const changeActions: Record<string, Action<MerchantVisit>> = {
  change: {
    needs: 'merchants',
    name: 'merchants.update',
    says: 'The settings were saved.',
    details: (_, form) => changedFields(form),
    async run({ till, merchant }, form) {
      await till.merchants.update(merchant.id, changesOf(form, merchant))
      return undefined
    },
  },
  suspend: {
    needs: 'merchants',
    name: 'merchants.suspend',
    says: 'The merchant is suspended.',
    async run({ till, merchant }) {
      await till.merchants.suspend(merchant.id)
      return undefined
    },
  },
  resume: {
    needs: 'merchants',
    name: 'merchants.resume',
    says: 'The merchant takes payments again.',
    async run({ till, merchant }) {
      await till.merchants.resume(merchant.id)
      return undefined
    },
  },
}
