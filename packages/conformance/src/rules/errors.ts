import type { Answer } from '../network/answer.ts'
import type { Rule } from '../session/rule.ts'
import { isJson, isObject, isOfApi, shown } from './kinds.ts'

/** API 7.1: which codes go with a status. */
const CODES: Record<number, string[]> = {
  400: ['invalid_parameter'],
  401: ['unauthorised'],
  403: ['https_required', 'suspended'],
  404: ['not_found'],
  405: ['method_not_allowed'],
  408: ['invalid_parameter'],
  409: ['conflict'],
  413: ['invalid_parameter'],
  414: ['invalid_parameter'],
  429: ['rate_limited'],
  500: ['not_ready', 'internal'],
  503: ['unavailable'],
}

const codeOf = ({ json }: Answer) => (isObject(json) ? json.code : undefined)

/** API 2.3, 5.3, 7.1, 7.2: what is said where something is wrong. */
export const errors: readonly Rule[] = [
  {
    name: 'error-object',
    section: '2.3',
    title: 'an error is an object with message and code',
    applies: answer => isJson(answer) && answer.status >= 400,
    look(answer, differ) {
      const { json, status } = answer
      if (!isObject(json)) return differ(`the body of a ${status} should be an object, and is ${shown(json)}`)
      const { message, code } = json
      if (typeof message !== 'string' || message === '') {
        differ(`message should be a text, and is ${shown(message)}`)
      }
      const known = CODES[status]
      if (known === undefined) return differ(`${status} is no status of this API`)
      if (!known.includes(String(code))) {
        differ(`code of a ${status} should be ${known.join(' or ')}, and is ${shown(code)}`)
      }
    },
  },
  {
    name: 'no-internal-error',
    section: '7.1',
    title: 'no request met a fault',
    applies: isOfApi,
    look(answer, differ) {
      if (answer.status === 500 && codeOf(answer) === 'not_ready') return
      // Without a body, that a period is not ready is said by when to ask again.
      if (answer.status === 500 && answer.question.method === 'HEAD' && answer.header('retry-after') !== null)
        return
      if (answer.status >= 500) differ(`${answer.status}: ${shown(answer.text.slice(0, 80))}`)
    },
  },
  {
    name: 'unauthorised',
    section: '5.3',
    title: '401 says WWW-Authenticate: Basic, and that it is unauthorised',
    applies: answer => isOfApi(answer) && answer.status === 401,
    look(answer, differ) {
      const scheme = answer.header('www-authenticate')
      if (!/^basic\b/i.test(scheme ?? '')) differ(`WWW-Authenticate should be Basic, and is ${shown(scheme)}`)
      const message = isObject(answer.json) ? String(answer.json.message) : ''
      if (answer.question.method !== 'HEAD' && !/unauthori[sz]ed/i.test(message)) {
        differ(`the message should say Unauthorised, and is ${shown(message)}`)
      }
    },
  },
  {
    name: 'allow',
    section: '7.1',
    title: '405 has Allow, and lists what the path has',
    applies: answer => answer.status === 405,
    look(answer, differ) {
      const allow = answer.header('allow')
      if (allow === null) return differ('Allow is missing')
      const methods = allow.split(',').map(method => method.trim())
      const wanted = /^\/cash_ups\/?$/.test(answer.question.path) ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD']
      if (methods.toSorted().join() !== wanted.join()) {
        differ(`Allow should be ${wanted.join(', ')}, and is ${allow}`)
      }
    },
  },
  {
    name: 'retry-after',
    section: '7.2',
    title: '429, 503 and what is not ready say when to ask again',
    applies: answer =>
      answer.status === 429 || (isOfApi(answer) && (answer.status === 503 || codeOf(answer) === 'not_ready')),
    look(answer, differ) {
      const after = answer.header('retry-after')
      if (!/^[1-9]\d*$/.test(after ?? '')) {
        differ(`Retry-After should be whole seconds from 1 on, and is ${shown(after)}`)
      }
      if (answer.status !== 429) return
      for (const name of ['RateLimit', 'RateLimit-Policy']) {
        if (answer.header(name) === null) differ(`${name} is missing`)
      }
    },
  },
]

/** API 8.2: where an instance tells how its limits stand, it tells it always, in the form of the draft. */
export function limits(): Rule {
  const first: Record<string, boolean> = {}
  return {
    name: 'rate-limit',
    section: '8.2',
    title: 'RateLimit and RateLimit-Policy',
    applies: answer => {
      const { question, status } = answer
      if (!isOfApi(answer) || question.method === 'OPTIONS' || status === 403 || status === 414) return false
      return status !== 503 && status < 502
    },
    look(answer, differ) {
      const { status } = answer
      const limit = answer.header('ratelimit')
      const policy = answer.header('ratelimit-policy')
      const whose = status === 401 ? 'address' : 'key'
      const tells = limit !== null || policy !== null
      first[whose] ??= tells
      if (first[whose] && limit === null) return differ('RateLimit is missing, which other answers have')
      if (first[whose] && policy === null)
        return differ('RateLimit-Policy is missing, which other answers have')
      if (!tells) return
      const [, named, left] = /^"([^"]+)";r=(\d+)(?:;t=\d+)?$/.exec(limit ?? '') ?? []
      const [, ofPolicy, most] = /^"([^"]+)";q=(\d+)(?:;w=\d+)?$/.exec(policy ?? '') ?? []
      if (named === undefined) return differ(`RateLimit should be as "key";r=99;t=1, and is ${shown(limit)}`)
      if (ofPolicy === undefined) {
        return differ(`RateLimit-Policy should be as "key";q=100;w=1, and is ${shown(policy)}`)
      }
      if (named !== ofPolicy) differ(`RateLimit is of ${named}, RateLimit-Policy of ${ofPolicy}`)
      if (status !== 429 && named !== whose) differ(`RateLimit should be of ${whose}, and is of ${named}`)
      if (Number(left) > Number(most)) differ(`RateLimit has ${left} left of ${most}`)
    },
  }
}
