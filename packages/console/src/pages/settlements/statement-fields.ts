import { type Html, html } from '@tillkit/http'
import type { StatementFormat } from '@tillkit/till/statement'
import type { Form } from '../../routing/form.ts'
import type { Visit } from '../../routing/visit.ts'
import { choice, textField } from '../../show/fields.ts'
import { entered } from '../../show/form.ts'

const COLUMNS = [
  ['merchantId', 'Merchant’s id', 'merchantId', true],
  ['amount', 'Amount', 'amount', true],
  ['paymentId', 'Payment’s number', 'paymentId', false],
  ['merchantReference', 'Merchant’s reference', '', false],
  ['authCode', 'Confirmation code', '', false],
  ['fee', 'Fee', '', false],
] as const

const DELIMITERS = [
  [',', 'a comma'],
  [';', 'a semicolon'],
  ['\t', 'a tab'],
  ['|', 'a bar'],
] as const

const AMOUNTS = [
  ['cents', '1250, whole cents'],
  ['point', '12.50'],
  ['comma', '12,50'],
] as const

const ENCODINGS = [
  ['utf-8', 'UTF-8'],
  ['windows-1252', 'Windows-1252, of Western Europe'],
  ['utf-16le', 'UTF-16'],
] as const

/** The fields that say what a file is, and in which of its columns what stands. */
export function statementFields(visit: Visit): Html {
  const value = (name: string, preset: string) => entered(visit, 'try', name, preset)
  return html`${textField({
    name: 'statementReference',
    label: 'Statement reference',
    value: value('statementReference', ''),
    hint: 'As it stands on the merchants’ bank statements',
    required: true,
    most: 255,
  })}<div class="field"><label for="file">CSV file</label><input id="file" name="file" type="file" accept=".csv,text/csv,text/plain" required><small>At most 16 MB</small></div>
<fieldset><legend>Its columns</legend><p class="hint">Their names in its first line. One of the number, the reference and the code is needed. Payments that were taken away from here as CSV have merchantId, totalAmount and id.</p><div class="fields">${COLUMNS.map(
    ([name, label, preset, required]) =>
      textField({
        name: `column-${name}`,
        label,
        value: value(`column-${name}`, preset),
        required,
        most: 255,
      }),
  )}</div></fieldset><div class="fields">${choice('delimiter', 'Between two columns', value('delimiter', ','), DELIMITERS)}
${choice('amounts', 'Amounts are written', value('amounts', 'cents'), AMOUNTS)}
${choice('encoding', 'Its encoding', value('encoding', 'utf-8'), ENCODINGS)}</div>`
}

/** What these fields say. What is wrong with it is said by whoever reads the file. */
export function formatOf(form: Form): StatementFormat {
  const columns = Object.fromEntries(
    COLUMNS.map(([name]) => [name, form.get(`column-${name}`)]).filter(([, column]) => column !== ''),
  )
  const delimiter = DELIMITERS.find(([given]) => given === form.all('delimiter').at(-1))?.[0]
  const amounts = AMOUNTS.find(([given]) => given === form.get('amounts'))?.[0]
  const encoding = ENCODINGS.find(([given]) => given === form.get('encoding'))?.[0]
  return { columns: columns as unknown as StatementFormat['columns'], delimiter, amounts, encoding }
}
