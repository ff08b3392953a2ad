import { html } from '@tillkit/http'
import { merchantPage } from '../../routing/page.ts'
import { facts, moment, state } from '../../show/facts.ts'
import { apiKeyActions, apiKeySection } from './api-keys.ts'
import { changeActions, changeSection } from './change.ts'
import { webhookActions, webhookSection } from './webhook-account.ts'

/** A merchant's account: what it is, and what may be changed of it. */
export const account = merchantPage({
  ofMerchant: '/account',
  needs: 'read',
  async show(visit) {
    const { merchant, settings } = visit
    const { id, createdAt, suspendedAt } = merchant
    const about = facts([
      ['Id', html`<span class="mono">${id}</span>`],
      ['Since', moment(settings.formats, createdAt)],
      [
        'State',
        suspendedAt
          ? html`${state('suspended')} since ${moment(settings.formats, suspendedAt)}`
          : state('active'),
      ],
    ])
    return {
      title: 'Account',
      content: html`<section class="card">${about}</section>
<div class="pair">${changeSection(visit)}<div>${await webhookSection(visit)}</div></div>${await apiKeySection(visit)}`,
    }
  },
  says: { create: 'The merchant was added.' },
  actions: { ...changeActions, ...apiKeyActions, ...webhookActions },
})
