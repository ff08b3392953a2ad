import type { Answer } from '../network/answer.ts'

/** Whether an answer is one of the JSON API, or of an image in JSON: errors of pages may look as their host likes. */
export function isOfApi({ question }: Answer): boolean {
  return (question.place ?? 'api') === 'api'
}

/** Whether it answers a preflight. */
export function isPreflight({ question }: Answer): boolean {
  return question.method === 'OPTIONS' && question.headers?.['access-control-request-method'] !== undefined
}

/** Whether it should be JSON: all of the API but preflights, and errors of images. */
export function isJson(answer: Answer): boolean {
  const { question, status } = answer
  if (question.method === 'HEAD' || isPreflight(answer)) return false
  // Longer than a proxy in front may take: its answer may be anything.
  if (status === 414 || status === 431 || status === 502 || status === 504) return false
  return isOfApi(answer) || (isImage(answer) && status >= 400)
}

/** Whether it answers a request for an image of a QR code. What can be no code may get a page of the provider's. */
export function isImage({ question }: Answer): boolean {
  return question.place === 'qr' && /^\/qr\/[\w-]{1,64}\.(svg|png)$/.test(question.path)
}

/** The list that an answer is a page of; null where it is none. */
export function listOf({ question, status }: Answer): 'payments' | 'cash_ups' | 'period' | null {
  if (status !== 200 || (question.place ?? 'api') !== 'api') return null
  const method = question.method ?? 'GET'
  if (method !== 'GET' && method !== 'HEAD') return null
  if (/^\/payments\/?$/.test(question.path)) return 'payments'
  if (/^\/cash_ups\/?$/.test(question.path)) return 'cash_ups'
  return /^\/payments\/cash_ups\/[^/]+\/?$/.test(question.path) ? 'period' : null
}

/** The records of a page; empty where it has none. */
export function itemsOf(answer: Answer): Record<string, unknown>[] {
  return Array.isArray(answer.json) ? answer.json.filter(isObject) : []
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The payments in an answer: of a list, or the one that was asked for. */
export function paymentsOf(answer: Answer): Record<string, unknown>[] {
  const list = listOf(answer)
  if (list !== null) return list === 'cash_ups' ? [] : itemsOf(answer)
  return isOnePayment(answer) && isObject(answer.json) ? [answer.json] : []
}

/** Whether it is one payment, asked for by its id. */
export function isOnePayment({ question, status }: Answer): boolean {
  return status === 200 && question.method !== 'HEAD' && /^\/payments\/\d+\/?$/.test(question.path)
}

/** A query's parameters, decoded. A `+` of an offset stays one. */
export function parametersOf({ question }: Answer): URLSearchParams {
  return new URLSearchParams((question.query ?? '').replace(/\+(?=\d\d:?\d\d(&|$))/g, '%2B'))
}

/** What would move a terminal's cursor, or turn the text around. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
const LONGEST = 2000

/** A text that may have in it what was answered, as it may be printed. */
export function printable(text: string): string {
  const shorter = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
  return shorter.replace(UNSEEN, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** How a value is shown in a sentence. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value))
  return text.length > 120 ? `${text.slice(0, 117)}…` : text
}
