import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { checkConformance } from '../check-conformance.ts'
import { compareInstances } from '../compare/compare-instances.ts'
import { CannotTry, type ConformanceReport } from '../report.ts'
import type { Vocabulary } from '../vocabulary.ts'
import { keyFrom } from './key.ts'
import { printed } from './print.ts'

/** What the command is run with. */
export interface Surroundings {
  env: NodeJS.ProcessEnv
  stdin: NodeJS.ReadableStream
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown; isTTY?: boolean }
}

interface Flags {
  key?: string
  qr?: string
  qrBaseUrl?: string
  scanCode?: string
  http?: string
  destructive?: boolean
  json?: boolean
  compare?: string
  compareKey?: string
  vocabulary?: string
  ownVocabulary?: string
  only?: string
  origin?: string
  rate?: string
  maxSeconds?: string
  insecure?: boolean
}

const EXAMPLES = `
The key may come from the environment, TILLKIT_KEY, or from stdin with --key -, so that no list of processes has it.
Exit status: 0 nothing differs, 1 something does, 2 it could not be tried, or not to the end.

Examples:
  TILLKIT_KEY=tk_… tillkit-conformance https://pay.example.com/v1 --qr https://pay.example.com
  tillkit-conformance https://pay.example.com/v1 --key - --json < key.txt
  tillkit-conformance https://new.example.com/v1 --key KEY --compare https://old.example.com/v1 --compare-key KEY
`

/** Runs `tillkit-conformance` and returns its exit status: 0 nothing differs, 1 something does, 2 it could not be tried, or not to the end. */
export async function run(words: readonly string[], around: Surroundings): Promise<number> {
  const { stdout, stderr } = around
  let status = 0
  const command = new Command('tillkit-conformance')
    .description(
      'Tries a mounted merchant payments API over the network against its contract. It only reads, unless told otherwise.',
    )
    .argument('<url>', 'the base address of the API: https://pay.example.com/v1')
    .option('--key <key>', 'an API key of the merchant whose account is looked at; - reads it from stdin')
    .option('--qr <url>', 'the address of the QR codes: https://pay.example.com')
    .option('--qr-base-url <url>', 'the address that QR codes carry, where it is another')
    .option('--scan-code <code>', 'a scan code of the merchant; that of the newest payment when left out')
    .option('--http <url>', 'the address of the API over plain HTTP, which has to be refused')
    .option('--destructive', 'may create cash ups, and send methods that a path should not have')
    .option('--json', 'prints the results as JSON')
    .option('--compare <url>', 'compares with another instance, answer by answer; reads only')
    .option('--compare-key <key>', 'its API key; TILLKIT_COMPARE_KEY when left out')
    .option(
      '--vocabulary <file>',
      'JSON: names of the contract and the words for them, of the other instance with --compare',
    )
    .option('--own-vocabulary <file>', 'with --compare, the words of the first instance')
    .option('--only <names>', 'only these checks, separated by commas')
    .option('--origin <origin>', 'an origin that the provider lets browsers call from')
    .option('--rate <number>', 'requests a second at most (default: 50)')
    .option('--max-seconds <number>', 'begins no more checks after so long (default: 600)')
    .option('--insecure', 'trusts any certificate: for servers of your own machine')
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .configureOutput({ writeOut: text => stdout.write(text), writeErr: text => stderr.write(text) })
    .action(async (url: string, flags: Flags) => {
      const report = await tried(url, flags, around)
      stdout.write(flags.json ? `${JSON.stringify(report, null, 2)}\n` : printed(report))
      status = report.differing > 0 ? 1 : report.cutShort ? 2 : 0
    })
  try {
    await command.parseAsync(words, { from: 'user' })
    return status
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof CannotTry) && !(error instanceof TypeError)) throw error
    stderr.write(`tillkit-conformance: ${error.message}\n`)
    return 2
  }
}

async function tried(url: string, flags: Flags, around: Surroundings): Promise<ConformanceReport> {
  const key = (await keyFrom(flags.key, 'TILLKIT_KEY', around)) ?? ''
  if (key === '') throw new TypeError('a key is needed: --key KEY, --key - from stdin, or TILLKIT_KEY')
  const vocabulary = wordsIn(flags.vocabulary)
  const asking = {
    only: flags.only?.split(','),
    origin: flags.origin,
    insecure: flags.insecure ?? false,
    requestsPerSecond: numberOf('--rate', flags.rate),
    maxSeconds: numberOf('--max-seconds', flags.maxSeconds),
    onCheck: (title: string) => {
      if (around.stderr.isTTY) around.stderr.write(`\r\u001b[K${title.slice(0, 78)}`)
    },
  }
  try {
    if (flags.compare !== undefined) {
      const theirs = await keyFrom(flags.compareKey, 'TILLKIT_COMPARE_KEY', around)
      if (theirs === undefined)
        throw new TypeError('--compare needs --compare-key KEY, or TILLKIT_COMPARE_KEY')
      return await compareInstances({
        ...asking,
        url,
        key,
        vocabulary: wordsIn(flags.ownVocabulary),
        other: { url: flags.compare, key: theirs, vocabulary },
      })
    }
    return await checkConformance({
      ...asking,
      url,
      key,
      vocabulary,
      qrUrl: flags.qr,
      qrBaseUrl: flags.qrBaseUrl,
      scanCode: flags.scanCode,
      httpUrl: flags.http,
      destructive: flags.destructive ?? false,
    })
  } finally {
    if (around.stderr.isTTY) around.stderr.write('\r\u001b[K')
  }
}

function wordsIn(file: string | undefined): Vocabulary | undefined {
  if (file === undefined) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new TypeError(`${file} cannot be read as JSON: ${(error as Error).message}`)
  }
}

function numberOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!(Number(text) > 0)) throw new TypeError(`${flag} must be a number above 0`)
  return Number(text)
}
