import type { Payment } from '@tillkit/till'
import { countProgress } from '../../output/count-progress.ts'
import { toFile } from '../../output/to-file.ts'
import { write } from '../../output/write.ts'
import { UsageError } from '../../program/usage-error.ts'
import { onTill } from '../../store/on-till.ts'
import { number } from '../page.ts'
import { FILTER_OPTIONS, type FilterFlags, filterOf } from './filter.ts'

interface ExportFlags extends FilterFlags {
  format?: string
  out?: string
  afterId?: string
  delimiter?: string
  bom?: boolean
}

/** Writes all payments that pass a filter, however many. */
export const exportPayments = onTill<[string], ExportFlags>({
  name: 'export',
  about: 'Writes all payments that pass the filters as CSV or NDJSON, oldest first, however many there are.',
  args: [['<merchant>', 'the merchant’s id']],
  options: [
    ['--format <format>', 'csv or ndjson (default: what --out ends in, else csv, with --json ndjson)'],
    ['--out <file>', 'where to (default: stdout)'],
    ['--after-id <id>', 'goes on after this payment'],
    ['--delimiter <text>', 'of CSV: a comma, a semicolon or tab (default: a comma)'],
    ['--bom', 'of CSV: begins with the mark by which Excel knows UTF-8'],
    ...FILTER_OPTIONS,
  ],
  examples: [
    ['tillkit payments export coffee --out coffee.csv', 'all of them'],
    [
      'tillkit payments export coffee --format ndjson --after-id 51200 >> coffee.ndjson',
      'those that came since',
    ],
    [
      'tillkit payments export coffee --start-date 2026-11-01T00:00:00Z --end-date 2026-12-01T00:00:00Z',
      'those of November',
    ],
  ],
  notes: `
It ends with the last payment that there was when it began, and holds a few hundred in memory. The file of --out is made whole or
not at all: until all is written it has another name in the same folder, which ends in .partial, and what was there stays. Amounts are
cents. In CSV a text that a spreadsheet would take for a formula has a ' before it; NDJSON has every text as it is.`,
  async run({ till, around, print }, [merchant], flags) {
    const filter = filterOf(flags)
    const afterId = number('--after-id', flags.afterId)
    const format = formatOf(flags, print.json)
    // What is wrong with a filter or the merchant is said before a file is made.
    const { total } = await till.payments.list(merchant, { filter, perPage: 1 })
    const progress = await countProgress(around, total)
    const { toCsv, toNdjson } = await import('@tillkit/till/export')
    const payments = counted(till.payments.export(merchant, { filter, afterId }), progress.step)
    const pieces =
      format === 'csv'
        ? toCsv(payments, { delimiter: delimiterOf(flags.delimiter), bom: flags.bom ?? false })
        : toNdjson(payments)
    try {
      if (flags.out === undefined) for await (const piece of pieces) await write(around.stdout, piece)
      else await toFile(around, flags.out, pieces)
    } finally {
      progress.stop()
    }
    print.note(`${progress.done().toLocaleString('en')} payments`)
  },
})

function formatOf({ format, out }: ExportFlags, asJson: boolean): 'csv' | 'ndjson' {
  const given = format ?? /\.(\w+)$/.exec(out ?? '')?.[1] ?? (asJson ? 'ndjson' : 'csv')
  if (asJson && given === 'csv' && out === undefined) {
    throw new UsageError('--json writes ndjson, so that --format must not be csv')
  }
  if (given === 'csv' || given === 'ndjson') return given
  throw new UsageError(
    format === undefined
      ? '--out must end in .csv or .ndjson, or --format say it'
      : `--format must be csv or ndjson, not ${given}`,
  )
}

function delimiterOf(given = ','): ',' | ';' | '\t' {
  if (given === 'tab' || given === '\t') return '\t'
  if (given === ',' || given === ';') return given
  throw new UsageError(`--delimiter must be a comma, a semicolon or tab, not ${given}`)
}

async function* counted(payments: AsyncIterable<Payment>, step: () => void): AsyncGenerator<Payment> {
  for await (const payment of payments) {
    step()
    yield payment
  }
}
