import { html } from '@tillkit/http'
import { merchantPath } from '../../routing/addresses.ts'
import { page } from '../../routing/page.ts'
import { textField } from '../../show/fields.ts'
import { button, entered, form } from '../../show/form.ts'
import { MERCHANT_FIELDS, merchantFields, merchantOf } from './merchant-form.ts'

/** The form for another merchant. */
export const newMerchant = page({
  path: '/merchants/new',
  needs: 'merchants',
  whole: true,
  async show(visit) {
    const id = textField({
      name: 'id',
      label: 'Id',
      value: entered(visit, 'create', 'id', ''),
      hint: 'Your own, 1 to 64 of A-Z a-z 0-9 _ . : -. Empty: one is made up',
      most: 64,
    })
    return {
      title: 'Add a merchant',
      content: html`<section class="card">${form(visit, 'create', html`${merchantFields(visit, 'create')}${id}${button('Add')}`)}</section>`,
    }
  },
  actions: {
    create: {
      needs: 'merchants',
      name: 'merchants.create',
      says: 'The merchant was added.',
      logs: MERCHANT_FIELDS,
      async run({ till }, form) {
        const { id } = await till.merchants.create({ ...merchantOf(form), id: form.get('id') || undefined })
        return { to: merchantPath(id, '/account') }
      },
    },
  },
})
