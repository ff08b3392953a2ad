import {
  type Answer,
  apiAnswers,
  type Call,
  type HttpResponse,
  type Particulars,
  type RouteDescription,
  readQuery,
} from '@tillkit/http'
import type { z } from 'zod'
import { readBody } from '../body.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { blamingWords, type NamesByWord } from '../names-in-words.ts'

/** A route of the sandbox: what serves it, beside what it describes itself by. */
export interface SandboxRoute extends RouteDescription {
  method: 'GET' | 'POST'
  /** Answers a request to a merchant's ledger, or throws: `TillError` is what the developer gets to see. */
  answer: (ledger: Ledger, call: SandboxCall) => Promise<HttpResponse>
}

/** A request to a ledger. */
export interface SandboxCall extends Pick<Call, 'request' | 'parameter' | 'words'> {
  /** The names of a payment's fields by the words that a vocabulary puts for them. */
  names: NamesByWord | undefined
}

type Described = Pick<RouteDescription, 'operationId' | 'summary' | 'description' | 'parameters'> & {
  /** `GET /sandbox/clock` */
  at: `${'GET' | 'POST'} ${string}`
  answers: Particulars
}

function route({ at, answers, ...description }: Described): Omit<SandboxRoute, 'answer'> {
  const [method, path = ''] = at.split(' ') as ['GET' | 'POST', string]
  return { tag: 'Sandbox', tagDescription, method, path, ...description, answers: answersOf(answers) }
}

const tagDescription =
  'A test ledger of the account, for test keys, which begin with `tk_test_`. A live key gets 404 for all below `/sandbox`, ' +
  'whatever the method. A body is read as JSON, whatever its `Content-Type`.'

/** For live keys nothing is there, whatever is there for test keys. */
function answersOf({ missing, ...others }: Particulars): Answer[] {
  const description =
    missing === undefined ? 'The key is a live one.' : 'There is no such thing; or the key is a live one.'
  return apiAnswers({ ...others, missing: missing ?? 'Not found' }).map(answer =>
    answer.status === 404 ? { ...answer, description } : answer,
  )
}

/** A route that reads nothing but its path. */
export function plainRoute(description: Described, answer: SandboxRoute['answer']): SandboxRoute {
  return { ...route(description), answer }
}

/** A route with a JSON body, `ofPayment` where its fields are a payment's: the schema that reads it is the one that describes it. */
export function bodyRoute<Body>(
  description: Described & { body: z.ZodType<Body>; ofPayment?: boolean },
  answer: (ledger: Ledger, body: Body, call: SandboxCall) => Promise<HttpResponse>,
): SandboxRoute {
  const { body, answers, ofPayment = false, ...others } = description
  return {
    ...route({ ...others, answers: { reads: true, ...answers } }),
    body,
    ...(ofPayment && { bodyOf: 'payment' }),
    answer: (ledger, call) => {
      const names = ofPayment ? call.names : undefined
      return blamingWords(names, async () => answer(ledger, await readBody(call.request, body, names), call))
    },
  }
}

/** A route with query parameters. */
export function listRoute<Shape extends z.ZodRawShape>(
  description: Described & { query: z.ZodObject<Shape> },
  answer: (ledger: Ledger, query: z.output<z.ZodObject<Shape>>) => Promise<HttpResponse>,
): SandboxRoute {
  const { query, ...others } = description
  return {
    ...route(others),
    query,
    answer: (ledger, { request, words }) => answer(ledger, readQuery(query, request.query, words.parameters)),
  }
}
