import type { Question, Received } from './question.ts'

/** An answer to a question, and what can be read in it. */
export interface Answer {
  question: Question
  /** The request as a curl line, with `$KEY` where the key goes. */
  curl: string
  status: number
  /** What a header says; the values of one that came more than once are joined with a comma. Null where there is none. */
  header(name: string): string | null
  /** How often a header came. */
  times(name: string): number
  bytes: Uint8Array
  /** The body as UTF-8. */
  text: string
  /** The body as JSON, in the words of the contract; undefined where it is none. */
  json: unknown
}

/**
 * Makes an answer of what came. `hide` takes the key out of texts, since what they say is shown; `inOurWords` puts the names of
 * the contract into its JSON.
 */
export function answerOf(
  question: Question,
  curl: string,
  { status, headers, body }: Received,
  hide: (text: string) => string,
  inOurWords: (json: unknown) => unknown,
): Answer {
  const text = hide(new TextDecoder().decode(body))
  const values = (name: string) => (headers.get(name.toLowerCase()) ?? []).map(hide)
  return {
    question,
    curl,
    status,
    header: name => (values(name).length === 0 ? null : values(name).join(', ')),
    times: name => values(name).length,
    bytes: body,
    text,
    json: inOurWords(parsed(text)),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
