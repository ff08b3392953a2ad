import { VOCABULARY, type Vocabulary, type VocabularyName, wordOf } from '@tillkit/domain'
import type { Route } from './routes.ts'

/** One path and what can be done there. */
export interface Resource {
  /** As the routes have it, in our own words: `/payments/{id}`. */
  path: string
  /** Of its path; null is the parameter. */
  segments: (string | null)[]
  /** By their methods. */
  routes: Map<string, Route>
  /** The value of `Allow`. */
  allow: string
}

/** Gathers the routes by their paths, in the words of a vocabulary, once. */
export function resourcesOf(routes: readonly Route[], vocabulary: Vocabulary | undefined): Resource[] {
  const resources = new Map<string, Resource>()
  for (const route of routes) {
    const { method, path } = route
    const segments = path
      .split('/')
      .map(segment => (segment.startsWith('{') ? null : pathWord(segment, vocabulary)))
    const resource = resources.get(path) ?? { path, segments, routes: new Map(), allow: '' }
    resource.routes.set(method, route)
    if (method === 'GET') resource.routes.set('HEAD', route)
    resource.allow = [...resource.routes.keys()].join(', ')
    resources.set(path, resource)
  }
  return [...resources.values()]
}

function pathWord(segment: string, vocabulary: Vocabulary | undefined): string {
  const named = VOCABULARY.path.includes(segment as VocabularyName)
  return named ? wordOf(vocabulary, segment as VocabularyName) : segment
}

/** The resource at a raw path, with its parameter; null when there is none. A slash at the end is fine. */
export function findResource(
  resources: readonly Resource[],
  path: string,
): { resource: Resource; parameter: string } | null {
  const segments = segmentsOf(path)
  if (segments === null) return null
  for (const resource of resources) {
    const parameter = match(resource.segments, segments)
    if (parameter !== null) return { resource, parameter }
  }
  return null
}

/** The segments of a path, each decoded once; null for a malformed escape. */
function segmentsOf(path: string): string[] | null {
  const segments = path.split('/')
  if (segments.length > 2 && segments.at(-1) === '') segments.pop()
  if (!path.includes('%')) return segments
  try {
    return segments.map(decodeURIComponent)
  } catch {
    return null
  }
}

/** What stands for the parameter, empty where the pattern has none; null unless all segments match. */
function match(pattern: readonly (string | null)[], segments: readonly string[]): string | null {
  if (pattern.length !== segments.length) return null
  let parameter = ''
  for (let i = 0; i < pattern.length; i++) {
    const segment = segments[i] as string
    if (pattern[i] === null) parameter = segment
    else if (pattern[i] !== segment) return null
  }
  return parameter
}
