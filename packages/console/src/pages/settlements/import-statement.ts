import { TillError } from '@tillkit/domain'
import { html } from '@tillkit/http'
import { page } from '../../routing/page.ts'
import type { Visit } from '../../routing/visit.ts'
import { button, form } from '../../show/form.ts'
import { importResult } from './import-result.ts'
import { formatOf, statementFields } from './statement-fields.ts'

/** Takes a statement as a CSV file, shows what importing it would do, and does it when that was seen. */
export const importStatement = page({
  path: '/settlements/import',
  needs: 'settle',
  whole: true,
  async show(visit) {
    const name = visit.query.get('upload')
    if (name === null) {
      return {
        title: 'Import a statement',
        content: html`<section class="card"><p>Nothing is settled by this form: first it is shown what the statement would settle.</p>
${form(visit, 'try', html`${statementFields(visit)}${button('Try it')}`, { files: true })}</section>`,
      }
    }
    const upload = visit.uploads.get(name)
    if (upload === undefined) {
      return {
        title: 'Import a statement',
        content: html`<p class="notice wait">This process does not have the file, or not any more. What of it was imported is under Settlements; hand it in again to go on.</p>
<p><a href="${visit.to('/settlements/import')}">Hand it in again</a></p>`,
      }
    }
    const going = upload.state === 'trying' || upload.state === 'importing'
    return {
      title: `Statement ${upload.statementReference}`,
      live: going ? 2 : undefined,
      content: html`<div id="upload" data-live-part>${importResult(visit, upload)}${upload.state === 'tried' && importForm(visit, name)}</div>`,
    }
  },
  actions: {
    try: {
      needs: 'settle',
      name: 'settlements.try',
      says: 'The file was taken in.',
      logs: ['statementReference'],
      async run({ uploads, path }, form) {
        const bytes = form.file('file')
        if (bytes === null) throw new TillError('invalid_input', 'file must be a CSV file')
        const statementReference = form.get('statementReference')
        if (statementReference === '')
          throw new TillError('invalid_input', 'statementReference must not be empty')
        const name = uploads.add({ statementReference, bytes, format: formatOf(form) })
        return { to: `${path}?upload=${name}` }
      },
    },
    import: {
      needs: 'settle',
      name: 'settlements.import',
      says: 'The import has begun.',
      details: ({ uploads }, form) => ({
        statementReference: uploads.get(form.get('upload'))?.statementReference ?? '',
      }),
      async run({ uploads, path }, form) {
        const name = form.get('upload')
        uploads.import(name)
        return { to: `${path}?upload=${encodeURIComponent(name)}` }
      },
    },
  },
})

function importForm(visit: Visit, name: string) {
  const settled = visit.uploads.get(name)?.result?.settled ?? 0
  return form(
    visit,
    'import',
    html`<input type="hidden" name="upload" value="${name}">
<p>${button(`Settle ${visit.settings.formats.count(settled)} ${settled === 1 ? 'payment' : 'payments'}`)}</p>`,
  )
}
