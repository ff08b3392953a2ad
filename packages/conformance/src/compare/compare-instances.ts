import { surveyOf } from '../account/account.ts'
import { openTransport } from '../network/transport.ts'
import {
  type AskingOptions,
  assertKnown,
  checkedAddress,
  checkedKey,
  checkedNumber,
  checkedVocabulary,
  MAX_SECONDS,
} from '../options.ts'
import { type ConformanceReport, reportOf } from '../report.ts'
import { openSession } from '../session/open-session.ts'
import { reached } from '../session/reached.ts'
import { runChecks } from '../session/run-checks.ts'
import type { Vocabulary } from '../vocabulary.ts'
import { comparisons } from './questions.ts'

/** An instance that is compared. */
export interface ComparedInstance {
  /** The base address of its API. */
  url: string
  /** An API key of the same merchant there. */
  key: string
  /** What it says for names of the contract. */
  vocabulary?: Vocabulary
}

/** What `compareInstances` takes. */
export interface ComparisonOptions extends AskingOptions, ComparedInstance {
  /** The instance that it is compared with: the system that is replaced, for example. */
  other: ComparedInstance
}

/**
 * Asks two instances the same questions, and returns where their answers differ: in status, in headers that matter, in what
 * their JSON says. Both hold the payments of one merchant. It only reads. Rejects as `checkConformance` does.
 */
export async function compareInstances(options: ComparisonOptions): Promise<ConformanceReport> {
  assertKnown(options, ['url', 'key', 'vocabulary', 'other'])
  const seconds = checkedNumber('maxSeconds', options.maxSeconds, MAX_SECONDS)
  const deadline = performance.now() + seconds * 1000
  const transport = openTransport(options)
  try {
    const open = (name: string, keyName: string, instance: ComparedInstance) => {
      const addresses = { api: checkedAddress(`${name}url`, instance.url), qr: null, plain: null }
      const key = checkedKey(`${name}key`, instance.key)
      const vocabulary = checkedVocabulary(`${name}vocabulary`, instance.vocabulary)
      return openSession({ addresses, key, keyName, vocabulary }, options, transport, () => []).session
    }
    const one = open('', 'KEY', options)
    const other = open('other.', 'OTHER_KEY', options.other)
    const survey = (session: typeof one) => reached(surveyOf(session), `${session.instance.addresses.api}: `)
    const account = await survey(one)
    await survey(other)
    const results = await reached(runChecks(one, comparisons(account, other, options.onCheck), [], deadline))
    const report = reportOf(one.instance.addresses.api, one.requests + other.requests, results)
    return { ...report, comparedWith: other.instance.addresses.api }
  } finally {
    transport.close()
  }
}
