import { expect, test, vi } from 'vitest'
import { multipart, openDesk, soon } from './desk.ts'

async function withPayments() {
  const desk = await openDesk()
  for (let n = 1; n <= 5; n++) {
    const payment = await desk.till.payments.start({ scanCode: 'table-1', totalAmount: 100 * n })
    if (n !== 4) await desk.till.payments.complete(payment)
  }
  const browser = desk.browse()
  const handIn = async (file: string | Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}) => {
    const seen = await browser.open('/settlements/import')
    const form = browser.formOf(seen, 'try')
    for (const [name, value] of Object.entries({ statementReference: 'S-1', ...fields }))
      form.set(name, value)
    return browser.press(seen, form, await multipart(form, file))
  }
  const shown = async (target: string, words: RegExp) => {
    await vi.waitFor(async () => expect((await browser.open(target)).page).toMatch(words), soon)
    return browser.open(target)
  }
  return { ...desk, browser, handIn, shown }
}

const FILE = 'merchantId,paymentId,amount\ncafe,1,100\ncafe,2,999\ncafe,4,400\ncafe,5,500\nnobody,1,1\n'

test('a statement is tried first, which settles nothing, and then imported', async () => {
  const { till, browser, handIn, shown } = await withPayments()
  const { target } = await handIn(FILE)
  const tried = await shown(target, /what importing it would do/)
  expect(tried.page).toMatch(
    /Would be settled<\/span><strong>2<.*Rows that differ<\/span><strong>3<.*Left out<\/span><strong>1</s,
  )
  expect(tried.page).toMatch(/of another amount.*not completed.*no payment is called so/s)
  expect((await till.payments.get('cafe', 1))?.statementReference).toBeNull()

  const begun = await browser.press(tried, browser.formOf(tried, 'import'))
  const imported = await shown(begun.target, /It was imported/)
  expect(imported.page).not.toContain('value="import"')
  const references = (await till.payments.list('cafe')).items.map(({ id, statementReference }) => [
    id,
    statementReference,
  ])
  expect(references).toEqual([...[5, 4, 3, 2, 1].map(id => [id, id === 1 || id === 5 ? 'S-1' : null])])
  const list = await browser.open('/settlements')
  expect(list.page).toMatch(/settlement\?reference=S-1">S-1<.*€6\.00/s)
  const one = await browser.open('/settlement?reference=S-1')
  expect(one.page).toMatch(/cafe<\/a>.*€6\.00/s)
  expect((await browser.open('/settlement?reference=S-2')).status).toBe(404)
})

test('a week is paid out: its completed payments are taken away as CSV, and handed in as they are', async () => {
  const { till, browser, handIn, shown } = await withPayments()
  // Of the payments, and not of now, which may be the day after.
  const day = (await till.payments.get('cafe', 1))?.date.slice(0, 10)
  const { response } = await browser.open(`/m-cafe/payments.csv?status=completed&from=${day}`)
  let csv = ''
  for await (const piece of response.body as AsyncIterable<string>) csv += piece
  const columns = { 'column-amount': 'totalAmount', 'column-paymentId': 'id' }
  const tried = await shown((await handIn(csv, columns)).target, /what importing it would do/)
  expect(tried.page).toMatch(/Would be settled<\/span><strong>4<.*Left out<\/span><strong>0</s)
  await shown((await browser.press(tried, browser.formOf(tried, 'import'))).target, /It was imported/)
  const { items } = await till.payments.list('cafe', { filter: { statementReference: 'S-1' } })
  expect(items.map(({ id }) => id)).toEqual([5, 3, 2, 1])
})

test('a file may be of another encoding than UTF-8, which the form can say', async () => {
  const { handIn, shown } = await withPayments()
  const file = Buffer.from('Händler,paymentId,amount\ncafe,1,100\n', 'latin1')
  const columns = { 'column-merchantId': 'Händler' }
  const mistaken = await handIn(file, columns)
  expect((await shown(mistaken.target, /Nothing was settled/)).page).toContain('not in utf-8')
  const { target } = await handIn(file, { ...columns, encoding: 'windows-1252' })
  expect((await shown(target, /what importing it would do/)).page).toMatch(
    /Would be settled<\/span><strong>1</,
  )
})

test('of however many rows that differ their number is right', async () => {
  const { handIn, shown } = await withPayments()
  const { target } = await handIn(`merchantId,paymentId,amount\n${'nobody,1,1\n'.repeat(10_001)}`)
  expect((await shown(target, /what importing it would do/)).page).toMatch(
    /Rows that differ<\/span><strong>10,001</,
  )
})

test('a file that is none is said to be, by its line and column', async () => {
  const { handIn, shown, browser } = await withPayments()
  const wrong = await handIn('merchantId,paymentId,amount\ncafe,1,a hundred\n')
  const { page } = await shown(wrong.target, /It cannot be tried: .* Nothing was settled\./)
  expect(page).toMatch(/line 2, column &#34;amount/)
  expect(page).not.toContain('stays settled')
  const other = await handIn('a;b\n1;2\n')
  expect((await shown(other.target, /Nothing was settled/)).page).toMatch(/role="alert"/)
  const none = await browser.submit('/settlements/import', 'try', { statementReference: 'S-1' })
  expect([none.status, none.page.includes('File must be a CSV file.')]).toEqual([400, true])
  expect((await handIn(FILE, { statementReference: '' })).status).toBe(400)
  expect((await browser.open('/settlements/import?upload=nothing')).page).toContain('does not have the file')
})

test('an import that ends before its end says that what it settled stays settled', async () => {
  const { till, browser, handIn, shown } = await withPayments()
  const tried = await shown((await handIn(FILE)).target, /what importing it would do/)
  vi.spyOn(till.settlements, 'import').mockRejectedValueOnce(new Error('the database is gone'))
  const begun = await browser.press(tried, browser.formOf(tried, 'import'))
  const { page } = await shown(begun.target, /It ended before its end: /)
  expect(page).toContain('What was settled until then stays settled')
})

test('nobody imports without the permission, or sees settlements of all with one merchant', async () => {
  const { browse } = await withPayments()
  const reader = browse({ name: 'Rita', permissions: ['read'] })
  expect((await reader.open('/settlements')).page).not.toContain('Import a statement')
  expect((await reader.open('/settlements/import')).status).toBe(404)
  const own = browse({ name: 'Mo', permissions: ['read', 'settle'], merchants: ['cafe'] })
  for (const path of ['/settlements', '/settlements/import', '/settlement?reference=S-1']) {
    expect((await own.open(path)).status).toBe(404)
  }
})
