import {
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

/** A route of the sandbox: what serves it, beside what it describes itself by. */
export interface SandboxRoute extends RouteDescription {
  method: 'GET' | 'POST'
  /** Answers a request to a merchant's ledger, or throws: `TillError` is what the developer gets to see. */
  answer: (ledger: Ledger, call: SandboxCall) => Promise<HttpResponse>
}

/** A request to a ledger. */
export interface SandboxCall extends Pick<Call, 'request' | 'parameter' | 'words'> {
  /** The names of a payment's fields by the words that a vocabulary puts for them. */
  names: ReadonlyMap<string, string> | undefined
}

type Described = Pick<RouteDescription, 'operationId' | 'summary' | 'description' | 'parameters'> & {
  /** `GET /sandbox/clock` */
  at: `${'GET' | 'POST'} ${string}`
  answers: Particulars
}

function route({ at, answers, ...description }: Described): Omit<SandboxRoute, 'answer'> {
  const [method, path = ''] = at.split(' ') as ['GET' | 'POST', string]
  return { tag: 'Sandbox', method, path, ...description, answers: apiAnswers(answers) }
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
    answer: async (ledger, call) =>
      answer(ledger, await readBody(call.request, body, ofPayment ? call.names : undefined), call),
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
