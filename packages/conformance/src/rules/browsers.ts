import type { Answer } from '../network/answer.ts'
import type { Rule } from '../session/rule.ts'
import { isImage, isOfApi, isPreflight, shown } from './kinds.ts'

const PAGES = ['X-Total', 'X-Total-Pages', 'X-Page', 'X-Per-Page', 'X-Next-Page', 'X-Prev-Page', 'X-Offset']
const READABLE = ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id']

const tooLong = ({ status }: Answer) => status === 414 || status === 431

/** API 1.2. An instance that names the origins that may call says so with `Vary: Origin`: to others it allows nothing. */
export function browsers(origin: string): readonly Rule[] {
  const isNarrowed = (answer: Answer) =>
    answer.header('access-control-allow-origin') === null && /\borigin\b/i.test(answer.header('vary') ?? '')
  return [
    {
      name: 'allow-origin',
      section: '1.2',
      title: 'each answer, an error too, allows any origin, or the one that calls',
      applies: answer =>
        (isOfApi(answer) || isImage(answer)) && !tooLong(answer) && (isImage(answer) || !isNarrowed(answer)),
      look(answer, differ) {
        const allowed = answer.header('access-control-allow-origin')
        if (allowed !== '*' && allowed !== origin) {
          differ(`Access-Control-Allow-Origin should be * or ${origin}, and is ${shown(allowed)}`)
        }
      },
    },
    {
      name: 'expose-headers',
      section: '1.2',
      title: 'scripts may read the headers of pages, limits and request ids',
      applies: answer =>
        (isOfApi(answer) || isImage(answer)) &&
        !tooLong(answer) &&
        !isPreflight(answer) &&
        (isImage(answer) || !isNarrowed(answer)),
      look(answer, differ) {
        const exposed = (answer.header('access-control-expose-headers') ?? '')
          .split(',')
          .map(name => name.trim().toLowerCase())
        const wanted = isImage(answer) ? READABLE : [...PAGES, ...READABLE]
        const missing = wanted.filter(name => !exposed.includes(name.toLowerCase()))
        if (missing.length > 0) differ(`Access-Control-Expose-Headers is without ${missing.join(', ')}`)
      },
    },
  ]
}

/** API 1.3: each answer names its request, and no two that were made are the same. */
export function requestIds(): Rule {
  const made = new Set<string>()
  return {
    name: 'request-id',
    section: '1.3',
    title: 'X-Request-Id: the request’s own, or one that was made for it',
    applies: answer => (isOfApi(answer) || isImage(answer)) && !tooLong(answer),
    look(answer, differ) {
      const id = answer.header('x-request-id')
      if (id === null || id === '') return differ('X-Request-Id is missing')
      const own = answer.question.headers?.['x-request-id']
      if (own !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(own)) {
        if (id !== own) differ(`X-Request-Id should be the request’s own, ${shown(own)}, and is ${shown(id)}`)
        return
      }
      if (id === own) differ(`X-Request-Id is the request’s own, ${shown(own)}, which is not fit`)
      if (made.has(id)) differ(`X-Request-Id is ${shown(id)}, as of another request`)
      made.add(id)
    },
  }
}
