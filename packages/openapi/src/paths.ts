import type { Vocabulary } from '@tillkit/domain'
import type { RouteDescription } from '@tillkit/http'
import type { JsonObject } from './document.ts'
import { parametersOf } from './parameters.ts'
import { requestBodyOf } from './request-body.ts'
import { responsesOf } from './responses.ts'

/** Operations by path and method. */
export type Paths = Record<string, JsonObject>

/** How routes are written down. */
interface Writing {
  /** Stands before each path. */
  prefix?: string
  /** The words for the fields of bodies. */
  vocabulary?: Vocabulary | undefined
}

/** The operations of `routes`. `HEAD` is answered wherever `GET` is. */
export function pathsOf(
  routes: readonly RouteDescription[],
  { prefix = '', vocabulary }: Writing = {},
): Paths {
  const paths: Paths = {}
  for (const route of routes) {
    const path = `${prefix}${route.path}`
    const item = paths[path] ?? {}
    item[route.method.toLowerCase()] = operationOf(route, vocabulary)
    if (route.method === 'GET') item.head = headOf(route)
    paths[path] = item
  }
  return paths
}

/** Both; where both have the same method of the same path, that of `more`. */
export function withPaths(paths: Paths, more: Paths): Paths {
  const merged = { ...paths }
  for (const [path, item] of Object.entries(more)) merged[path] = { ...merged[path], ...item }
  return merged
}

function operationOf(route: RouteDescription, vocabulary?: Vocabulary): JsonObject {
  const { operationId, summary, description, tag, answers, open } = route
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    ...(open && { security: [] }),
    parameters: parametersOf(route),
    ...requestBodyOf(route, vocabulary),
    responses: responsesOf(answers, true),
  }
}

function headOf(route: RouteDescription): JsonObject {
  return {
    ...operationOf(route),
    operationId: `${route.operationId}Head`,
    summary: `${route.summary}: the headers alone`,
    description: 'The status and headers that `GET` has, without a body.',
    responses: responsesOf(route.answers, false),
  }
}
