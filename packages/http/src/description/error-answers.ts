import type { AnswerHeader } from './answer-headers.ts'
import type { Answer } from './route-description.ts'

/** An answer with an error object; `codes` has a message that it has for each code. */
export function errorAnswer(
  status: number,
  description: string,
  codes: NonNullable<Answer['codes']>,
  headers: readonly AnswerHeader[],
): Answer {
  return { status, description, codes, headers }
}

/** A parameter that is wrong: `example` is what one of them is told. */
export function invalid(example: string, headers: readonly AnswerHeader[]): Answer {
  return errorAnswer(
    400,
    'A parameter or header is wrong, and the message names it; or there are too many parameters.',
    { invalid_parameter: example },
    headers,
  )
}

/** Something that is not there. */
export function missing(example: string, headers: readonly AnswerHeader[]): Answer {
  return errorAnswer(404, 'There is no such thing.', { not_found: example }, headers)
}

/** Something that is otherwise already. */
export function conflict(example: string, headers: readonly AnswerHeader[]): Answer {
  return errorAnswer(
    409,
    'It is otherwise already, and the message says how.',
    { conflict: example },
    headers,
  )
}

/** A body that costs too much to read. */
export function costly(headers: readonly AnswerHeader[]): Answer[] {
  return [
    errorAnswer(
      408,
      'The body did not end within 10 s.',
      { invalid_parameter: 'the body did not end within 10 s' },
      headers,
    ),
    errorAnswer(
      413,
      'The body is larger than 64 KiB.',
      { invalid_parameter: 'the body must not be larger than 65536 bytes' },
      headers,
    ),
  ]
}

/** What every path may answer besides: too long an address, too many requests, a fault, no database. */
export function troubles(headers: readonly AnswerHeader[]): Answer[] {
  return [
    errorAnswer(
      414,
      'The path or the query is longer than 8 KiB.',
      { invalid_parameter: 'the query must not be longer than 8192 bytes' },
      headers,
    ),
    errorAnswer(
      429,
      'Too many requests: wait `Retry-After` seconds; where it happens again, twice as long each time.',
      { rate_limited: 'Too many requests, please try again later' },
      [...headers, 'Retry-After'],
    ),
    errorAnswer(
      503,
      'The database is out of reach: ask again after `Retry-After` seconds.',
      { unavailable: 'Unavailable for a moment, please try again' },
      [...headers, 'Retry-After'],
    ),
  ]
}

/** What a fault answers. */
export function fault(headers: readonly AnswerHeader[]): Answer {
  return errorAnswer(
    500,
    'A fault of the server, which the provider finds by `X-Request-Id`; asking again may help.',
    { internal: 'Internal server error' },
    headers,
  )
}
