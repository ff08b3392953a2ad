import { pacedTransport } from '../network/pace.ts'
import type { OpenTransport } from '../network/transport.ts'
import { type AskingOptions, checkedNumber, MAX_SECONDS, TIMEOUT_SECONDS } from '../options.ts'
import { rulesFor } from '../rules/rules.ts'
import { type Vocabulary, wordsOf } from '../vocabulary.ts'
import type { Rule } from './rule.ts'
import { type Instance, Session } from './session.ts'

const ORIGIN = 'https://shop.example.com'

/** What a session is opened with beside how it asks. */
export interface SessionOptions {
  addresses: Instance['addresses']
  key: string
  keyName: string
  vocabulary: Vocabulary
}

/** Opens a session that keeps to the limits, and the rules that it holds answers to. */
export function openSession(
  { addresses, key, keyName, vocabulary }: SessionOptions,
  options: AskingOptions,
  transport: OpenTransport,
  rulesOf: (origin: string) => readonly Rule[] = rulesFor,
): { session: Session; rules: readonly Rule[] } {
  const origin = options.origin ?? ORIGIN
  const rules = rulesOf(origin)
  // What was begun in time is gone on with while one answer may be waited for twice.
  const seconds =
    checkedNumber('maxSeconds', options.maxSeconds, MAX_SECONDS) +
    2 * checkedNumber('timeoutSeconds', options.timeoutSeconds, TIMEOUT_SECONDS)
  const over = performance.now() + seconds * 1000
  const pace = {
    requestsPerSecond: checkedNumber('requestsPerSecond', options.requestsPerSecond, 50),
    patienceSeconds: checkedNumber('patienceSeconds', options.patienceSeconds, 90),
  }
  const send = pacedTransport(transport.send, pace, (message, received) => session.waited(message, received))
  const words = wordsOf(vocabulary)
  const session = new Session({ addresses, key, keyName, words, send, origin, over }, rules)
  return { session, rules }
}
