import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Payment } from '@tillkit/till'
import { PAYMENT_COLUMNS, toCsv } from '@tillkit/till/export'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusal, tillOf } from '../till-of.ts'
import { anyPayment, aPayment } from './payments.ts'
import { writePayments } from './write-payments.ts'

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

const cellsOf = (text: string, delimiter = ','): string[][] =>
  parse(text, { delimiter, relax_quotes: true, relax_column_count: true })

const HEADER =
  'merchantId,id,status,date,totalAmount,tipAmount,scanCode,scanCodeReference,userReference,merchantReference,statementReference,requiredAmount,authCode,isVoucher,isVoucherRedemption,deviceSerialNumber,strict,failure,extra\r\n'

describe('toCsv', () => {
  test('is columns with names, and a line for each payment', async () => {
    const payment = aPayment({ merchantReference: 'a "big", order', extra: { waiter: 'Ann' } })
    expect(await textOf(toCsv([payment]))).toBe(
      `${HEADER}"shop",1,"completed","2026-11-20T09:30:00Z",1250,,"till-1",,,"a ""big"", order",,,"012345",false,true,,false,,"{""waiter"":""Ann""}"\r\n`,
    )
    expect(await textOf(toCsv([]))).toBe(HEADER)
    const excel = await textOf(toCsv([payment], { delimiter: ';', bom: true }))
    expect(excel.startsWith('\uFEFFmerchantId;id;status;')).toBe(true)
    expect(cellsOf(excel.slice(1), ';')[1]?.[9]).toBe('a "big", order')
  })

  test('every field of a payment has a column', async () => {
    const { pay } = await tillOf()
    expect([...PAYMENT_COLUMNS].sort()).toEqual(Object.keys(await pay()).sort())
  })

  test('reads as it was written, whatever stands in it, but for formulas', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyPayment, { maxLength: 120 }),
        fc.constantFrom(',' as const, ';' as const, '\t' as const),
        async (payments, delimiter) => {
          const [names, ...rows] = cellsOf(await textOf(toCsv(payments, { delimiter })), delimiter)
          expect(names).toEqual([...PAYMENT_COLUMNS])
          expect(rows.map(row => row.map(harmed))).toEqual(
            payments.map(payment => PAYMENT_COLUMNS.map(name => harmed(shownAs(payment, name)))),
          )
        },
      ),
      { numRuns: 30 },
    )
  })

  test('no spreadsheet finds a formula, at whatever delimiter it splits the file', async () => {
    const begins = fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\uFF1D', '\uFF0B', '\uFF0D', '\uFF20')
    const evil = fc
      .tuple(
        fc.constantFrom('', ' ', '"', 'x;', 'x,', 'x\t', 'x\n', 'x\r\n', 'x; ', '";', '","', '";"', '";""'),
        begins,
        fc.string(),
      )
      .map(([before, begin, rest]) => `${before}${begin}${rest}`)
    await fc.assert(
      fc.asyncProperty(evil, evil, fc.constantFrom(',' as const, ';' as const), async (a, b, delimiter) => {
        const payment = aPayment({ userReference: a, failure: b, extra: { [a]: b } })
        const text = await textOf(toCsv([payment], { delimiter }))
        expect(text).not.toMatch(FORMULA)
        for (const cell of cellsOf(text, delimiter).flat()) expect(cell).not.toMatch(FORMULA)
      }),
      { numRuns: 100 },
    )
  })

  test('reads no more payments than are asked for, and ends them', async () => {
    let read = 0
    let ended = false
    async function* payments(): AsyncGenerator<Payment> {
      try {
        for (let id = 1; ; id++) {
          read += 1
          yield aPayment({ id })
        }
      } finally {
        ended = true
      }
    }
    const pieces = toCsv(payments())
    await pieces.next()
    expect(read).toBe(0)
    await pieces.next()
    expect(read).toBe(100)
    await pieces.return()
    expect(ended).toBe(true)

    read = 0
    ended = false
    let taken = 0
    const slow = async (stream: AsyncIterable<unknown>) => {
      for await (const _ of stream) {
        await new Promise(resolve => setImmediate(resolve))
        taken += 1
        if (taken === 5) break
      }
    }
    await pipeline(Readable.from(toCsv(payments())), slow)
    // A stream of pieces reads ahead, by its high water mark and no further.
    expect(read).toBeLessThanOrEqual((5 + 20) * 100)
    expect(ended).toBe(true)
  })

  test('the program in the README is there to the letter, and writes a file', async () => {
    const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8')
    const source = await readFile(join(import.meta.dirname, 'write-payments.ts'), 'utf8')
    expect(readme).toContain(`\`\`\`ts\n${source}\`\`\`\n`)
    const { till, pay } = await tillOf()
    for (let n = 0; n < 3; n++) await pay()
    const folder = await mkdtemp(join(tmpdir(), 'tillkit-'))
    try {
      await writePayments(till, 'shop', join(folder, 'payments.csv'))
      const rows = cellsOf(await readFile(join(folder, 'payments.csv'), 'utf8'))
      expect(rows.map(row => row[1])).toEqual(['id', '1', '2', '3'])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('what it was given that is none is named', async () => {
    const step = (...given: unknown[]) => refusal(toCsv(...(given as [Payment[]])).next())
    expect(await step(undefined)).toBe('invalid_input: payments must be an iterable of payments')
    expect(await step({ items: [] })).toBe('invalid_input: payments must be an iterable of payments')
    expect(await step([], { delimiter: '|' })).toMatch(/delimiter must be one of/)
    expect(await step([], { bom: 1 })).toMatch(/bom must be a boolean/)
    expect(await step([], { columns: [] })).toMatch(/columns is not a known name/)
  })
})

/** Where a cell begins, at any delimiter, with whatever quotes are taken off. */
const FORMULA = /(^|[,;\t\r\n])["\s]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/

/** A text without the quotes that are put before formulas. */
const harmed = (text: string) => text.replace(/'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g, '')

function shownAs(payment: Payment, name: keyof Payment): string {
  const value = payment[name]
  if (name === 'extra') return JSON.stringify(value)
  return value === null ? '' : String(value)
}
