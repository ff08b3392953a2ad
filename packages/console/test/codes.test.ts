import { expect, test } from 'vitest'
import { openDesk } from './desk.ts'

test('codes are added, suspended and resumed', async () => {
  const { browse, till } = await openDesk()
  const browser = browse()
  await browser.submit('/m-cafe/codes', 'create', { code: 'bar', reference: 'Bar' })
  expect(await till.scanCodes.get('bar')).toMatchObject({ merchantId: 'cafe', reference: 'Bar' })
  await browser.submit('/m-cafe/codes', 'suspend', {}, 1)
  expect((await till.scanCodes.get('bar'))?.suspendedAt === null).toBe(false)
  expect((await browser.submit('/m-cafe/codes', 'resume')).page).toContain('takes payments again')
  expect((await till.scanCodes.get('bar'))?.suspendedAt).toBeNull()
})

test('a sheet has so many codes on a page as was asked for, from one to thirty', async () => {
  const { browse, till } = await openDesk({ qrBaseUrl: 'https://pay.example.com' })
  for (let n = 2; n <= 31; n++) await till.scanCodes.create('cafe', { code: `table-${n}` })
  const browser = browse()
  for (let per = 1; per <= 30; per++) {
    const { page } = await browser.open(`/m-cafe/sheet?all=on&per=${per}&paper=letter`)
    const sheets = page.split('<div class="paper letter">').slice(1)
    const counts = sheets.map(sheet => sheet.match(/<figure>/g)?.length)
    expect([per, counts[0], counts.length]).toEqual([per, Math.min(per, 31), Math.ceil(31 / per)])
    const [, columns, rows] = /labels columns-(\d) rows-(\d)/.exec(page) ?? []
    expect([per, Number(columns) * Number(rows) >= per, Number(columns) <= 5, Number(rows) <= 8]).toEqual([
      per,
      true,
      true,
      true,
    ])
  }
  const few = await browser.open('/m-cafe/sheet?code=table-3&code=table-9&code=shelf')
  expect([...few.page.matchAll(/<code>([^<]*)</g)].map(([, code]) => code)).toEqual(['table-3', 'table-9'])
  expect(few.page).toContain('<title>QR code of https://pay.example.com/qr/table-3</title>')
  expect((await browser.open('/m-cafe/sheet')).page).toContain('None was chosen.')
})

test('of more than three hundred codes the first are printed, and the sheet says so', async () => {
  const { browse, till } = await openDesk({ qrBaseUrl: 'https://pay.example.com' })
  for (let n = 1; n <= 301; n++) await till.scanCodes.create('cafe', { code: `seat-${n}` })
  const { page } = await browse().open('/m-cafe/sheet?all=on&per=30')
  expect(page.match(/<figure>/g)).toHaveLength(300)
  expect(page).toContain('These are the first 300')
})

test('without qrBaseUrl there is nothing to print', async () => {
  const { browse } = await openDesk()
  const browser = browse()
  expect((await browser.open('/m-cafe/codes')).page).toContain('cannot print codes')
  expect((await browser.open('/m-cafe/sheet?all=on')).status).toBe(404)
})
