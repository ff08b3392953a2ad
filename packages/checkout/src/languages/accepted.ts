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
  const negotiator = new Negotiator({ headers: { 'accept-language': firstOf(header) } })
  const [language] = negotiator.languages([...languages])
  // That any will do (`*`) is no wish for the first of them.
  const asked = language && negotiator.languages().find(tag => primary(tag) === primary(language))
  return language && asked ? { language, asked } : null
}

/** Up to the last comma: what is cut within would be another language. */
function firstOf(header: string): string {
  if (header.length <= MOST_LETTERS) return header
  return header.slice(0, Math.max(header.lastIndexOf(',', MOST_LETTERS), 0))
}

function primary(tag: string): string | undefined {
  return tag.split('-')[0]?.toLowerCase()
}
