import { type Answer, answerOf } from '../network/answer.ts'
import { authorizationOf, hiding } from '../network/credentials.ts'
import { curlLine } from '../network/curl.ts'
import type { Message, Question, Received, Transport } from '../network/question.ts'
import { printable } from '../rules/kinds.ts'
import type { Words } from '../vocabulary.ts'
import { Findings } from './findings.ts'
import { CutShort, NotTried } from './not-tried.ts'
import type { Rule } from './rule.ts'

/** Where an instance is and how it is asked. */
export interface Instance {
  /** The base addresses, without a slash at their ends; QR codes' and plain HTTP's where they are known. */
  addresses: { api: string; qr: string | null; plain: string | null }
  key: string
  /** What the key is called in curl lines. */
  keyName: string
  words: Words
  send: Transport
  /** What browsers would say they come from. */
  origin: string
  /** After when nothing more is asked, by `performance.now()`. */
  over: number
}

/** So many requests without a good key are sent, of the 60 a minute that an address has with most providers. */
const UNAUTHENTICATED = 30

/** Asks an instance, and holds each answer to the rules. */
export class Session {
  readonly instance: Instance
  readonly #rules: readonly Rule[]
  #findings = new Findings()
  #name = ''
  #unauthenticated = UNAUTHENTICATED
  #quiet = false
  readonly #hide: (text: string) => string
  /** The last request, as a curl line. */
  #last = ''
  requests = 0

  constructor(instance: Instance, rules: readonly Rule[]) {
    this.instance = instance
    this.#rules = rules
    this.#hide = hiding(instance.key, instance.keyName)
  }

  /** Sends a question and holds the answer to the rules. */
  async ask(question: Question): Promise<Answer> {
    const { credentials = defaultCredentials(question), place = 'api' } = question
    if (place === 'api' && credentials !== 'key' && question.method !== 'OPTIONS')
      this.#spendUnauthenticated()
    const message = this.messageOf(question)
    if (performance.now() > this.instance.over) throw new CutShort('the time of this run was over')
    this.requests++
    if (!this.#quiet) this.#findings.look(this.#name)
    return this.#hold(question, message, await this.instance.send(message))
  }

  /** `GET` of a path, with the key. */
  get(path: string, query?: string, headers?: Record<string, string>): Promise<Answer> {
    return this.ask({ path, ...(query !== undefined && { query }), ...(headers && { headers }) })
  }

  /** Says that an answer is not as it should be. */
  differ(what: string, answer: Pick<Answer, 'curl'>): void {
    this.#findings.differ(this.#name, { what: printable(what), request: answer.curl })
  }

  /** Says that what came last cannot be looked at. */
  differLast(what: string): void {
    this.differ(what, { curl: this.#last })
  }

  /** Says that an answer has another status than it should. True where it has the right one. */
  expectStatus(answer: Answer, status: number, why = ''): boolean {
    if (answer.status === status) return true
    this.differ(`expected ${status}${why && ` ${why}`}, got ${answer.status}`, answer)
    return false
  }

  /** Says that a part of a check could not be tried. */
  skip(why: string): void {
    this.#findings.skip(this.#name, printable(why))
  }

  /** Says that the whole check could not be tried. */
  skipAll(why: string): void {
    this.skip(why)
    this.#findings.untried.add(this.#name)
  }

  /** How many requests without a good key may still be sent. */
  get unauthenticatedLeft(): number {
    return this.#unauthenticated
  }

  /** What was found by `work`, in the name of a check. */
  async during(name: string, work: () => Promise<void>): Promise<Findings> {
    const [before, beforeName] = [this.#findings, this.#name]
    const findings = new Findings()
    this.#findings = findings
    this.#name = name
    try {
      await work()
    } finally {
      this.#findings = before
      this.#name = beforeName
    }
    return findings
  }

  /** Asks without holding the answers to anything. */
  async quietly<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#quiet = true
    try {
      return await work()
    } finally {
      this.#quiet = false
    }
  }

  /** Holds an answer that told to wait to the rules; the question is asked again. */
  waited(message: Message, received: Received): void {
    this.#hold({ method: message.method, path: '', credentials: 'key' }, message, received)
  }

  messageOf(question: Question): Message {
    const { method = 'GET', path, query, headers = {}, place = 'api', body } = question
    const { addresses, key, words, origin } = this.instance
    const base = addresses[place]
    if (base === null) throw new NotTried(`no address for ${place}`)
    const url = `${base}${words.path(path)}${query === undefined ? '' : `?${words.query(query)}`}`
    // Parts of a path are what was answered before.
    if (/[\0- \x7f]/.test(url)) throw new Error('an id or a reference has letters that stand in no path')
    const authorization = authorizationOf(question.credentials ?? defaultCredentials(question), key)
    return {
      method,
      url,
      headers: { ...(place !== 'plain' && { origin }), ...headers, ...(authorization && { authorization }) },
      ...(body !== undefined && { body }),
    }
  }

  #hold(question: Question, message: Message, received: Received): Answer {
    const { keyName, words } = this.instance
    const curl = printable(curlLine(message, question.credentials ?? defaultCredentials(question), keyName))
    this.#last = curl
    const answer = answerOf(question, curl, received, this.#hide, words.json)
    if (this.#quiet) return answer
    for (const rule of this.#rules) {
      if (!rule.applies(answer)) continue
      this.#findings.look(rule.name)
      const differ = (what: string) =>
        this.#findings.differ(rule.name, { what: printable(what), request: curl })
      try {
        rule.look(answer, differ)
      } catch (error) {
        differ(`the answer cannot be looked at: ${error}`)
      }
    }
    return answer
  }

  #spendUnauthenticated(): void {
    if (this.#unauthenticated === 0) {
      throw new NotTried(
        `this run has sent ${UNAUTHENTICATED} requests without a good key, and sends no more`,
      )
    }
    this.#unauthenticated--
  }
}

function defaultCredentials({ place = 'api', method }: Question) {
  return place === 'api' && method !== 'OPTIONS' ? 'key' : 'none'
}
