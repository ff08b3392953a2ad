import { blocksOf } from '../page.ts'

/** A request that the page shows, and what it says the answer is. */
export interface Exchange {
  method: string
  target: string
  headers: Record<string, string>
  /** What a request carries; only a webhook does. */
  body: string
  answer: { status: number; headers: Record<string, string>; body: string } | null
}

/** Reads a block in `http`: a request, and after an empty line its answer, which begins with `HTTP/1.1`. */
function exchangeOf(text: string): Exchange {
  const [asked = '', status, answered = ''] = text.split(/^HTTP\/1\.1 (\d{3})$/m)
  const [first = '', ...rest] = asked.trimEnd().split('\n')
  const [method = '', target = ''] = first.split(' ')
  const request = message(rest.join('\n'))
  const answer = status === undefined ? null : { status: Number(status), ...message(answered.trimEnd()) }
  return { method, target, ...request, answer }
}

function message(text: string): { headers: Record<string, string>; body: string } {
  const [head = '', ...body] = text.split('\n\n')
  const lines = head.split('\n').filter(line => line !== '')
  const headers = lines.map(line => /^([\w-]+): (.*)$/.exec(line)?.slice(1) as [string, string])
  return { headers: Object.fromEntries(headers), body: body.join('\n\n') }
}

/** What the page does, in its order: exchanges, and what happens between them, which stands in comments. */
export function stepsOf(page: string): (Exchange | string)[] {
  const exchanges = blocksOf('api.md')
    .filter(({ language }) => language === 'http')
    .map(({ text }) => exchangeOf(text))
  const marks = page.matchAll(/^(?:```http$|<!-- (.*) -->$)/gm)
  return Array.from(marks, ([, happening]) => happening ?? (exchanges.shift() as Exchange))
}
