import type { Settings } from '../settings.ts'

/** One call of the API, ready to be sent as often as it takes. */
export interface ApiRequest {
  method: 'GET' | 'POST'
  url: string
  /** What an error names: the path after the base address, without the query. */
  path: string
  headers: Record<string, string>
}

/** A value of a query parameter; what is undefined is left out. */
export type QueryValue = string | number | undefined

/** A request for a path, its query and its headers in the provider's words. */
export function requestFor(
  { baseUrl, credentials, words }: Settings,
  method: ApiRequest['method'],
  segments: readonly string[],
  query: Record<string, QueryValue> = {},
): ApiRequest {
  const path = `/${segments.map(encodeURIComponent).join('/')}`
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : `${encodeURIComponent(words.word(name))}=${encodeURIComponent(value)}`,
  )
  return {
    method,
    path,
    url: `${baseUrl}${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`,
    headers: { Accept: 'application/json', Authorization: `Basic ${credentials}` },
  }
}
