import type { z } from 'zod'
import { type AnswerHeader, ON_EACH, ON_PAGES } from './answer-headers.ts'
import { conflict, costly, errorAnswer, fault, invalid, missing, troubles } from './error-answers.ts'
import type { Answer } from './route-description.ts'

/** What sets one route of the API apart. */
export interface Particulars {
  /** What success says. */
  description: string
  /** What it holds. */
  schema: z.ZodType
  /** A true one. */
  example: unknown
  /** Whether it is one page of a list. */
  pages?: boolean
  /** What is told to whoever gets a parameter wrong. */
  invalid?: string
  /** What is told to whoever asks for what is not there. */
  missing?: string
  /** What is told to whoever asks too early. */
  notReady?: string
  /** What is told to whoever asks for what cannot be any more. */
  conflict?: string
  /** Whether it reads a body. */
  reads?: boolean
}

const FORBIDDEN = errorAnswer(
  403,
  'The request came over plain HTTP; or the account is suspended.',
  { https_required: 'HTTPS is required', suspended: 'This account is suspended' },
  ON_EACH,
)

const UNAUTHORISED = errorAnswer(
  401,
  'No key, a wrong one, one that is revoked or expired, or a password beside it.',
  { unauthorised: 'Unauthorised' },
  [...ON_EACH, 'WWW-Authenticate'],
)

/** All answers of a route of the API, by their status (API 7). */
export function apiAnswers(particulars: Particulars): readonly Answer[] {
  const { description, schema, example, pages, notReady } = particulars
  const headers: readonly AnswerHeader[] = pages ? [...ON_PAGES, ...ON_EACH] : ON_EACH
  const broken = fault(ON_EACH)
  const answers: Answer[] = [
    { status: 200, description, bodies: [{ mediaType: 'application/json', schema, example }], headers },
    invalid(particulars.invalid ?? 'the query must not have more than 100 parameters', ON_EACH),
    UNAUTHORISED,
    FORBIDDEN,
    ...troubles(ON_EACH),
    notReady === undefined
      ? broken
      : errorAnswer(
          500,
          `The period has pending payments: ask again after \`Retry-After\` seconds (\`not_ready\`). ${broken.description}`,
          { not_ready: notReady, ...broken.codes },
          [...ON_EACH, 'Retry-After'],
        ),
  ]
  if (particulars.conflict !== undefined) answers.push(conflict(particulars.conflict, ON_EACH))
  if (particulars.reads) answers.push(...costly(ON_EACH))
  if (particulars.missing !== undefined) answers.push(missing(particulars.missing, ON_EACH))
  return answers.sort((a, b) => a.status - b.status)
}

/** What a path answers to a method that it does not have, once authenticated. */
export const METHOD_NOT_ALLOWED: Answer = errorAnswer(
  405,
  'The path has no such method; `Allow` lists those it has.',
  { method_not_allowed: 'Method not allowed; use GET, HEAD' },
  [...ON_EACH, 'Allow'],
)

/** What is answered at a path that nothing is at, once authenticated. */
export const NOT_FOUND: Answer = errorAnswer(
  404,
  'Nothing is at this path.',
  { not_found: 'Not found' },
  ON_EACH,
)
