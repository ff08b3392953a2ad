import { html } from '@tillkit/http'
import { merchantPage } from '../../routing/page.ts'
import { textField } from '../../show/fields.ts'
import { button, disclosed, entered } from '../../show/form.ts'
import { PER_PAGE, pageOf, pager } from '../../show/pager.ts'
import { codeTable } from './code-table.ts'
import { ownCode } from './own-code.ts'

/** A merchant's scan codes, oldest first, and a form to print them. */
export const codes = merchantPage({
  ofMerchant: '/codes',
  needs: 'read',
  async show(visit) {
    const { till, merchant, query, visitor } = visit
    const all = await till.scanCodes.list(merchant.id)
    const shown = pageOf(query)
    const items = all.slice((shown - 1) * PER_PAGE, shown * PER_PAGE)
    const add =
      visitor.may('codes') &&
      disclosed(
        visit,
        'create',
        'Add a code…',
        html`<div class="fields">${textField({
          name: 'reference',
          label: 'Reference',
          value: entered(visit, 'create', 'reference', ''),
          hint: 'What the merchant calls it: “Counter”',
          most: 255,
        })}${textField({
          name: 'code',
          label: 'Code',
          value: entered(visit, 'create', 'code', ''),
          hint: '1 to 64 of A-Z a-z 0-9 _ -, unlike any other. Empty: one that nobody can guess is made up',
          most: 64,
        })}</div>${button('Add')}`,
      )
    return {
      title: 'Codes',
      content: html`<section class="card">${codeTable(visit, items)}${pager(visit, all.length, shown)}${add}</section>`,
    }
  },
  actions: {
    create: {
      needs: 'codes',
      name: 'scanCodes.create',
      says: 'The code was added.',
      logs: ['code', 'reference'],
      async run({ till, merchant }, form) {
        await till.scanCodes.create(merchant.id, {
          code: form.get('code') || undefined,
          reference: form.get('reference') || null,
        })
        return undefined
      },
    },
    suspend: {
      needs: 'codes',
      name: 'scanCodes.suspend',
      says: 'The code is suspended.',
      logs: ['code'],
      run: async (visit, form) =>
        ownCode(visit, form.get('code'), code => visit.till.scanCodes.suspend(code)),
    },
    resume: {
      needs: 'codes',
      name: 'scanCodes.resume',
      says: 'The code takes payments again.',
      logs: ['code'],
      run: async (visit, form) => ownCode(visit, form.get('code'), code => visit.till.scanCodes.resume(code)),
    },
  },
})
