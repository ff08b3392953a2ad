import type { Answer } from '../network/answer.ts'
import { isObject, shown } from '../rules/kinds.ts'

/** Headers by their whole value. */
const SAME = [
  ...['x-total', 'x-total-pages', 'x-page', 'x-per-page', 'x-next-page', 'x-prev-page', 'x-offset'],
  'access-control-allow-origin',
]
/** Headers of which it matters that they are there. */
const THERE = ['www-authenticate', 'retry-after', 'allow']

/** Where two answers to one question differ, each as `ours, theirs`. */
export function answersDiffer(ours: Answer, theirs: Answer): string[] {
  if (ours.status !== theirs.status) return [`the status is ${ours.status}, of the other ${theirs.status}`]
  const found: string[] = []
  for (const name of SAME) {
    const [a, b] = [ours.header(name), theirs.header(name)]
    if (a !== b) found.push(`${name} is ${a ?? 'missing'}, of the other ${b ?? 'missing'}`)
  }
  for (const name of THERE) {
    const [a, b] = [ours.header(name) !== null, theirs.header(name) !== null]
    if (a !== b) found.push(`${name} is ${a ? 'there' : 'missing'}, of the other ${b ? 'there' : 'missing'}`)
  }
  const [type, otherType] = [ours, theirs].map(answer => mediaType(answer))
  if (type !== otherType) found.push(`Content-Type is ${type}, of the other ${otherType}`)
  if (ours.question.method === 'HEAD') return found
  // What an error says to people may be said in other words.
  const isError = ours.status >= 400
  compare(ours.json, theirs.json, '', isError, found)
  return found
}

function mediaType(answer: Answer): string {
  return (answer.header('content-type') ?? 'missing').toLowerCase().replaceAll(' ', '')
}

function compare(ours: unknown, theirs: unknown, at: string, isError: boolean, found: string[]): void {
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    if (ours.length !== theirs.length)
      found.push(`${at || 'the list'} has ${ours.length}, of the other ${theirs.length}`)
    for (let i = 0; i < Math.min(ours.length, theirs.length); i++) {
      compare(ours[i], theirs[i], `${at}[${i}]`, isError, found)
    }
    return
  }
  if (isObject(ours) && isObject(theirs)) {
    for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      if (isError && key === 'message' && typeof ours[key] === typeof theirs[key]) continue
      compare(ours[key], theirs[key], at === '' ? key : `${at}.${key}`, isError, found)
    }
    return
  }
  if (ours !== theirs) found.push(`${at || 'the body'} is ${said(ours)}, of the other ${said(theirs)}`)
}

function said(value: unknown): string {
  return value === undefined ? 'missing' : shown(value)
}
