import { once } from 'node:events'
import { createReadStream, open } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { promisify } from 'node:util'
import type { Imported } from '@tillkit/till'
import type { StatementFormat } from '@tillkit/till/statement'
import { amounts } from '../../output/amount.ts'
import { importProgress } from '../../output/import-progress.ts'
import type { Printer } from '../../output/printer.ts'
import { EXIT } from '../../program/exit-status.ts'
import { stopSignal } from '../../program/stop-signal.ts'
import type { Surroundings } from '../../program/surroundings.ts'
import { Refused, UsageError } from '../../program/usage-error.ts'
import { onTill } from '../../store/on-till.ts'
import { number } from '../page.ts'

const COLUMNS = ['merchantId', 'paymentId', 'merchantReference', 'authCode', 'amount', 'fee'] as const
const NAMES = ['paymentId', 'merchantReference', 'authCode'] as const

type Flags = { [Name in (typeof COLUMNS)[number]]?: string } & {
  delimiter?: string
  amounts?: string
  encoding?: string
  skipLines?: string
  since?: string
  dryRun?: boolean
}

/** How many of a long list a person is shown; `--json` has all that the till returns. */
const SHOWN = 50

/** Settles what agrees with a statement, and says what does not. */
export const importStatement = onTill<[string, string], Flags>({
  name: 'import',
  about:
    'Settles the payments of an acquirer’s statement that agree with it, and says which do not, and why.',
  args: [
    ['<reference>', 'as it stands on the merchants’ bank statements'],
    ['<file>', 'the statement in CSV; - is stdin'],
  ],
  options: [
    ['--dry-run', 'settles nothing, and says what it would do'],
    ['--merchant-id <column>', 'whose payment it is (default: merchantId)'],
    ['--amount <column>', 'what was paid (default: amount)'],
    ['--payment-id <column>', 'the payment’s id (default: paymentId, where nothing else names it)'],
    ['--merchant-reference <column>', 'or the reference that it has of its merchant'],
    ['--auth-code <column>', 'or its six digits'],
    ['--fee <column>', 'what was kept of it'],
    ['--delimiter <text>', 'a comma, a semicolon, a bar or tab (default: a comma)'],
    ['--amounts <form>', 'cents, point as in 12.50, or comma as in 12,50 (default: cents)'],
    ['--encoding <name>', 'such as windows-1252 (default: utf-8)'],
    ['--skip-lines <number>', 'how many lines come before the first (default: 0)'],
    ['--since <date>', 'a reference or a code means a payment started at or after it'],
  ],
  settings: ['currency'],
  examples: [
    ['tillkit settlements import BANK-0412 statement.csv --dry-run', 'what it would do'],
    [
      'tillkit settlements import BANK-0412 statement.csv --delimiter ";" --amounts comma --merchant-id Shop --amount Gross --merchant-reference Order --fee Fee',
      'a file with columns of its own',
    ],
    [
      'tillkit settlements import BANK-0412 - --json < statement.csv | jq .differing',
      'how many differ, by why',
    ],
  ],
  notes: `
A column is its name in the file's first line, or its place, from 1, in a file without one. Done again it goes on: what is settled stays settled.
It ends with 1 where a row settles nothing. SIGTERM or SIGINT stops it between two steps.`,
  async run({ till, around, print, settings }, [statementReference, file], flags) {
    const { size, stream, reading } = await opened(file, around.stdin)
    const progress = await importProgress(around, reading, size)
    const { readStatement } = await import('@tillkit/till/statement')
    const { signal, forget } = stopSignal(around)
    try {
      const result = await till.settlements.import({
        statementReference,
        rows: readStatement(stream as AsyncIterable<Uint8Array>, formatOf(flags)),
        dryRun: flags.dryRun,
        since: flags.since,
        onProgress: progress.tell,
        signal,
      })
      progress.stop()
      await tell(print, result, settings.currency, flags.dryRun === true)
      return result.differences.length > 0 ? EXIT.refused : EXIT.done
    } catch (error) {
      if (!signal.aborted) throw error
      throw new Refused('it was stopped: what it has settled stays settled, and the same command goes on')
    } finally {
      progress.stop()
      forget()
      stream.destroy()
    }
  },
})

/** A file that cannot be read is said before anything is done. */
async function opened(file: string, stdin: Surroundings['stdin']) {
  // Of a pipe nobody knows how much there is.
  if (file === '-') return { size: 0, stream: stdin, reading: { bytesRead: 0 } }
  const stats = await stat(file)
  if (stats.isFIFO()) {
    // As a file it would be read by a thread, which a process that ends waits for.
    const stream = new Socket({ fd: await promisify(open)(file, 'r'), writable: false })
    return { size: 0, stream, reading: stream }
  }
  const { size } = stats
  const stream = createReadStream(file)
  await once(stream, 'open')
  return { size, stream, reading: stream }
}

function formatOf(flags: Flags): StatementFormat {
  const isNamed = NAMES.some(name => flags[name] !== undefined)
  const given = { merchantId: 'merchantId', amount: 'amount', ...(!isNamed && { paymentId: 'paymentId' }) }
  const columns: Record<string, string | number> = given
  for (const name of COLUMNS) {
    const column = flags[name]
    if (column !== undefined) columns[name] = /^\d{1,4}$/.test(column) ? Number(column) : column
  }
  return {
    columns: columns as unknown as StatementFormat['columns'],
    delimiter: delimiterOf(flags.delimiter),
    amounts: flags.amounts as StatementFormat['amounts'],
    encoding: flags.encoding,
    skipLines: number('--skip-lines', flags.skipLines),
  }
}

function delimiterOf(given = ','): StatementFormat['delimiter'] {
  if (given === 'tab') return '\t'
  if (given === ',' || given === ';' || given === '|' || given === '\t') return given
  throw new UsageError(`--delimiter must be a comma, a semicolon, a bar or tab, not ${given}`)
}

async function tell(
  print: Printer,
  result: Imported,
  currency: string | undefined,
  dryRun: boolean,
): Promise<void> {
  if (print.json) return print.text(result, '')
  const { settled, already, differences, differing, left } = result
  const amount = amounts(currency)
  const unit = currency === undefined ? ' (cents)' : ''
  const reasons = Object.entries(differing).filter(([, count]) => count > 0)
  await print.one(result, [
    [dryRun ? 'would be settled' : 'settled', settled],
    ['settled before', already],
    ...reasons.map(([why, count]) => [why.replaceAll('_', ' '), count] as const),
    ['left out', left.total],
    [`left out${unit}`, amount(left.amount)],
  ])
  if (differences.length === 0) return
  await print.text(result, '')
  await print.table(result, differences.slice(0, SHOWN), [
    ['line', ({ row }) => row.line],
    ['merchant', ({ row }) => row.merchantId],
    ['payment', ({ row, payment }) => payment?.id ?? row.paymentId ?? row.merchantReference ?? row.authCode],
    ['why', ({ why }) => why.replaceAll('_', ' ')],
    [`amount${unit}`, ({ row }) => amount(row.amount)],
    [`the payment’s${unit}`, ({ payment }) => amount(payment?.totalAmount ?? null)],
  ])
  const more = reasons.reduce((all, [, count]) => all + count, 0) - SHOWN
  if (more > 0) print.note(`and ${more.toLocaleString('en')} more: --json has the first 10,000`)
}
