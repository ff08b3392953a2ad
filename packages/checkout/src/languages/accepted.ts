import Negotiator from 'negotiator'

/** A browser names a handful of languages; the rest of a longer list is not read. */
const MOST_LETTERS = 500

/** The language that suits a customer best, and how the customer named it. */
export interface Accepted {
  /** Of those that there are. */
  language: string
  /** `de-AT`, where `language` is `de`. */
  asked: string
}

/** Chooses among languages by an `Accept-Language` header (RFC 9110, 12.5.4); null where none of them is asked for. */
export function acceptedOf(header: string | undefined, languages: readonly string[]): Accepted | null {
  if (header === undefined) return null
  const read = header.length > MOST_LETTERS ? header.slice(0, header.lastIndexOf(',', MOST_LETTERS)) : header
  const negotiator = new Negotiator({ headers: { 'accept-language': read } })
  const [language] = negotiator.languages([...languages])
  // That any will do (`*`) is no wish for the first of them.
  const asked = language && negotiator.languages().find(tag => primary(tag) === primary(language))
  return language && asked ? { language, asked } : null
}

function primary(tag: string): string | undefined {
  return tag.split('-')[0]?.toLowerCase()
}
