import { Readable } from 'node:stream'
import type { StatementRow } from '@tillkit/till'
import { readStatement, type StatementFormat } from '@tillkit/till/statement'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusal } from '../till-of.ts'

const COLUMNS = { merchantId: 'Merchant', paymentId: 'Payment', amount: 'Gross', fee: 'Fee' }
const HEADER = 'Merchant,Payment,Gross,Fee\n'

async function read(
  text: AsyncIterable<Uint8Array> | Iterable<Uint8Array | string>,
  format: Partial<StatementFormat> = {},
): Promise<StatementRow[]> {
  const rows: StatementRow[] = []
  for await (const row of readStatement(text, { columns: COLUMNS, ...format })) rows.push(row)
  return rows
}
const row = { merchantReference: null, authCode: null }

describe('rows', () => {
  test('by the names of their columns, wherever those stand', async () => {
    const text = 'Fee, Gross ,Date,Merchant,Payment\r\n25,1250,today,shop,7\r\n\r\n,300,,cafe,8\r\n'
    expect(await read(text)).toEqual([
      { ...row, merchantId: 'shop', paymentId: 7, amount: 1250, fee: 25, line: 2 },
      { ...row, merchantId: 'cafe', paymentId: 8, amount: 300, fee: null, line: 4 },
    ])
  })

  test('by place, in a file that has no names', async () => {
    const columns = { merchantId: 1, merchantReference: 4, authCode: 3, amount: 2 }
    expect(await read('shop;1250; 004217;order 7 \nshop;1;;"a;""b"""', { columns, delimiter: ';' })).toEqual([
      {
        ...{ merchantId: 'shop', paymentId: null, merchantReference: 'order 7 ', authCode: '004217' },
        ...{ amount: 1250, fee: null, line: 1 },
      },
      {
        ...{ merchantId: 'shop', paymentId: null, merchantReference: 'a;"b"', authCode: null },
        ...{ amount: 1, fee: null, line: 2 },
      },
    ])
  })

  test('whichever way each line ends', async () => {
    for (const ends of [
      ['\r\n', '\n', '\n'],
      ['\n', '\r\n', '\r'],
      ['\r', '\r\n', '\n'],
    ]) {
      const lines = ['Payment,Gross,Merchant', '1,1250,shop', '2,800,shop', '3,900,shop']
      const text = lines.map((line, n) => `${line}${ends[n] ?? ''}`).join('')
      const columns = { merchantId: 'Merchant', paymentId: 'Payment', amount: 'Gross' }
      const rows = await read([`A title${ends[0]}`, text], { skipLines: 1, columns })
      expect(rows.map(one => [one.paymentId, one.merchantId, one.line])).toEqual([
        [1, 'shop', 3],
        [2, 'shop', 4],
        [3, 'shop', 5],
      ])
    }
  })

  test('after lines that are passed over', async () => {
    const text = `Statement of,today\n\n${HEADER}shop,1,2,\nSum,,2,\n`
    const rows = await read(text, { skipLines: 2, skip: ([first]) => first === 'Sum' })
    expect(rows.map(({ line }) => line)).toEqual([4])
  })

  test.each(['\n', '\r\n', '\r'])(
    'which need be no CSV, each ended by %j, wherever they are cut',
    async end => {
      const title = ['\ufeffStatement of "Corner" Coffee', '"', 'x'.repeat(100_000), ''].join(end)
      const text = `${title}${HEADER}shop,1,2,\nshop,x,2,\n`
      for (const size of [1, 7, text.length]) {
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
        const rows = readStatement(pieces, { columns: COLUMNS, skipLines: 3 })
        expect((await rows.next()).value).toMatchObject({ paymentId: 1, line: 5 })
        expect(await refusal(rows.next())).toContain('line 6, column "Payment"')
      }
    },
  )

  test('between lines with nothing in any column, as spreadsheets leave them', async () => {
    const rows = await read(`,,,\n${HEADER},,,\nshop,1,2,\n ,"",,\n  \nshop,2,2,\n,,,,,\n`)
    expect(rows.map(({ paymentId, line }) => [paymentId, line])).toEqual([
      [1, 4],
      [2, 7],
    ])
  })

  test('with empty columns behind those that have names', async () => {
    const [one] = await read(`${HEADER}shop,1,1250,30,, ,\n`)
    expect(one).toMatchObject({ amount: 1250, fee: 30 })
  })

  test('of a stream of bytes, wherever it is cut, with a byte order mark or another encoding', async () => {
    const columns = { merchantId: 'Händler', merchantReference: 'Ref', amount: 'Betrag' }
    const text = 'Händler;Ref;Betrag\nshop;"Größe\n💶";1.234,50\n'
    const format: StatementFormat = { columns, delimiter: ';', amounts: 'comma' }
    const expected = [
      {
        ...{ merchantId: 'shop', paymentId: null, merchantReference: 'Größe\n💶', authCode: null },
        ...{ amount: 123_450, fee: null, line: 3 },
      },
    ]
    const bytes = Buffer.from(`\ufeff${text}`)
    for (const size of [1, 2, 7, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      )
      expect(await read(Readable.from(chunks), format)).toEqual(expected)
    }
    const latin = Buffer.from(text.replace('💶', 'ß'), 'latin1')
    const [first] = await read([latin], { ...format, encoding: 'latin1' })
    expect(first?.merchantReference).toBe('Größe\nß')
    expect(await refusal(read([latin], format))).toBe(
      'invalid_input: the statement is not in utf-8: say its encoding',
    )
  })
})

describe('amounts', () => {
  const amountOf = async (written: string, amounts: StatementFormat['amounts']) => {
    const columns = { merchantId: 1, paymentId: 2, amount: 3, fee: 4 }
    const [one] = await read(`shop|1|0|${written}`, { columns, amounts, delimiter: '|' })
    return one?.fee
  }

  test.each([
    ['cents', '1250', 1250],
    ['cents', '-7', -7],
    ['cents', '0', 0],
    ['cents', '-0', 0],
    ['point', '12.50', 1250],
    ['point', '12', 1200],
    ['point', '1,234.50', 123_450],
    ['point', '1 234 567.89', 123_456_789],
    ['point', '-0.05', -5],
    ['point', "1'234'567.89", 123_456_789],
    ['point', '1’234.50', 123_450],
    ['comma', '12,50', 1250],
    ['comma', '1.234.567,89', 123_456_789],
    ['comma', ' 3,00 ', 300],
    ['comma', '1\u202f234\u00a0567,89', 123_456_789],
  ] as const)('in %s, %s is %d', async (amounts, written, cents) => {
    expect(await amountOf(written, amounts)).toBe(cents)
  })

  test.each([
    ['cents', '12.50'],
    ['cents', '1e3'],
    ['cents', '0x10'],
    ['cents', '9007199254740992'],
    ['point', '12,50'],
    ['point', '12.5'],
    ['point', '12.505'],
    ['point', '1,23.00'],
    ['point', '.50'],
    ['point', "1'23.00"],
    ['point', '90071992547409.92'],
    ['point', '$12.50'],
    ['comma', '12.50'],
    ['comma', '--1'],
    ['comma', 'NaN'],
  ] as const)('in %s, %s is none', async (amounts, written) => {
    expect(await refusal(amountOf(written, amounts))).toMatch(
      /^invalid_input: line 1, column 4: ".*" is no amount such as /,
    )
  })

  test('any sum, written and read', async () => {
    const property = fc.asyncProperty(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), async cents => {
      const sign = cents < 0 ? '-' : ''
      const units = Math.abs(cents)
      const whole = `${Math.floor(units / 100)}`
      const fraction = `${units % 100}`.padStart(2, '0')
      expect(await amountOf(`${sign}${whole}.${fraction}`, 'point')).toBe(cents)
      expect(await amountOf(`${sign}${whole},${fraction}`, 'comma')).toBe(cents)
      expect(await amountOf(`${cents}`, 'cents')).toBe(cents)
    })
    await fc.assert(property, { numRuns: 30 })
  })
})

describe('what is wrong is named by its line and column', () => {
  test.each([
    [`${HEADER}shop,1,100,\nshop,x,100,\n`, 'line 3, column "Payment": "x" is no payment id'],
    [`${HEADER}shop,0,100,\n`, 'line 2, column "Payment": "0" is no payment id'],
    [
      `${HEADER}shop,12345678901234567,100,\n`,
      'line 2, column "Payment": "12345678901234567" is no payment id',
    ],
    [`${HEADER},1,100,\n`, 'line 2, column "Merchant": nothing stands there'],
    [`${HEADER}shop,1,,\n`, 'line 2, column "Gross": nothing stands there'],
    [
      `${HEADER}shop,1,-1,\n`,
      'line 2, column "Gross": an amount below 0 is no payment: pass the line over by skip',
    ],
    [`${HEADER}shop,,1,\n`, 'line 2, column "Payment": nothing stands there that names a payment'],
    [`${HEADER}shop,1\n`, 'line 2, column "Gross": the line ends after 2 columns'],
    // A comma that nobody put into quotes: 12,50 and 0,30.
    [
      `${HEADER}shop,1,12,50,0,30\n`,
      'line 2, column 5: something stands there, where line 1 names 4 columns',
    ],
    ['Merchant,Payment,Fee\n', 'line 1 names no column "Gross", but "Merchant", "Payment", "Fee"'],
    ['Merchant,Payment,Gross,Fee,Gross\n', 'line 1 names the column "Gross" twice'],
    ['', 'the statement has no line that names its columns'],
    [`${HEADER}shop,"1,2,3\n`, 'the statement is no CSV: '],
    [`${HEADER}shop,1"2,3\n`, 'the statement is no CSV: '],
    [`${HEADER}shop,"${'x'.repeat(100_000)}\n`, 'the statement is no CSV: '],
  ])('%j', async (text, message) => {
    expect(await refusal(read(text))).toContain(`invalid_input: ${message}`)
  })

  test('bytes that end within a character', async () => {
    const bytes = [Buffer.from(`${HEADER}shop,1,1250,`), Uint8Array.of(0xc3)]
    expect(await refusal(read(bytes))).toBe('invalid_input: the statement is not in utf-8: say its encoding')
  })

  test('a quotation mark that is never closed is read no further than a line may be long', async () => {
    let chunks = 0
    function* endless() {
      yield `${HEADER}"`
      for (; chunks < 1000; chunks++) yield 'x'.repeat(65_536)
    }
    expect(await refusal(read(endless()))).toMatch(/^invalid_input: the statement is no CSV: /)
    expect(chunks).toBeLessThan(100)
  })

  test('rows before it are handed over', async () => {
    const rows = readStatement(`${HEADER}shop,1,100,\nshop,x,1,\n`, { columns: COLUMNS })
    expect((await rows.next()).value).toMatchObject({ paymentId: 1 })
    expect(await refusal(rows.next())).toContain('line 3')
  })

  test.each([
    ['bytes', (text: string) => Buffer.concat([Buffer.from(text), Buffer.of(0xff)])],
    ['text', (text: string) => `${text}"${'x'.repeat(70_000)}`],
  ])('rows before it are handed over, though the whole file came in one piece of %s', async (_, whole) => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `shop,${n + 1},1250,\n`)
    const ids: (number | null | undefined)[] = []
    const reading = async () => {
      const rows = readStatement([whole(HEADER + lines.join(''))], { columns: COLUMNS })
      for await (const { paymentId } of rows) ids.push(paymentId)
    }
    expect(await refusal(reading())).toMatch(/^invalid_input: the statement is /)
    expect(ids.length).toBeGreaterThan(10_000)
    expect(ids).toEqual(ids.map((_, n) => n + 1))
  })

  test('a file in one piece is the same in many: no character is cut in two', async () => {
    for (const shift of ['', 'x']) {
      const name = `${shift}${'🙂'.repeat(100)}`
      const lines = Array.from({ length: 1000 }, () => `shop,${name},1250\n`)
      const columns = { merchantId: 1, merchantReference: 2, amount: 3 }
      for (const whole of [lines.join(''), Buffer.from(lines.join(''))]) {
        const rows = await read([whole], { columns })
        expect(rows.map(({ merchantReference }) => merchantReference)).toEqual(Array(1000).fill(name))
      }
    }
  })

  test('what the stream itself throws stays what it is, and it is told when nobody reads on', async () => {
    async function* broken() {
      yield HEADER
      throw new Error('the line went dead')
    }
    await expect(read(broken() as never)).rejects.toThrow('the line went dead')
    let closed = false
    async function* endless() {
      try {
        yield HEADER
        while (true) yield 'shop,1,100,\n'.repeat(1000)
      } finally {
        closed = true
      }
    }
    for await (const { amount } of readStatement(endless(), { columns: COLUMNS })) if (amount === 100) break
    await expect.poll(() => closed, { timeout: 60_000 }).toBe(true)
  })
})

describe('a format', () => {
  const columns = COLUMNS
  test.each([
    [undefined, 'the format of a statement must be an object'],
    [{}, 'columns must be an object'],
    [{ columns: { merchantId: 'M', paymentId: 'P' } }, 'columns.amount must be the name of a column'],
    [
      { columns: { merchantId: 'M', amount: 'A' } },
      'columns must have a paymentId, a merchantReference or an authCode',
    ],
    [{ columns: { merchantId: 'M', amount: 2, paymentId: 3 } }, 'columns must be all names or all places'],
    [{ columns: { ...columns, amount: 0 } }, 'columns.amount must be the name of a column'],
    [{ columns: { ...columns, date: 'D' } }, 'columns.date is not a known name'],
    [{ columns, delimiter: '' }, 'delimiter must be a comma'],
    [{ columns, amounts: 'euros' }, 'amounts must be cents, point or comma'],
    [{ columns, encoding: 'ebcdic' }, 'encoding must be an encoding that TextDecoder knows'],
    [{ columns, skipLines: -1 }, 'skipLines must be an integer from 0 to 1000'],
    [{ columns, skip: 'Sum' }, 'skip must be a function'],
    [{ columns, quote: "'" }, 'quote is not a known name'],
  ])('%j is refused', (format, message) => {
    expect(() => readStatement('', format as never)).toThrow(message)
  })

  test('a skip that answers with a promise passes over nothing: the first line is refused', async () => {
    const skip = (async () => false) as never
    expect(await refusal(read(`${HEADER}shop,1,100,\n`, { skip }))).toBe(
      'invalid_input: skip must answer true or false, and not a promise of it',
    )
  })

  test('a skip that takes its columns apart moves none of them', async () => {
    const skip = (columns: readonly string[]) => (columns as string[]).shift() === 'Sum'
    const text = 'shop,100,2,1\nSum,100,2,1\n'
    const rows = await read(text, { columns: { merchantId: 1, amount: 2, fee: 3, paymentId: 4 }, skip })
    expect(rows).toMatchObject([{ merchantId: 'shop', amount: 100, fee: 2, paymentId: 1 }])
  })

  test.each([[undefined], [null], [7], [{}], [Promise.resolve('')]])('a stream %j is refused', stream => {
    expect(() => readStatement(stream as never, { columns })).toThrow('stream must be an iterable')
  })
})
