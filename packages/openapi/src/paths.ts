import type { RouteDescription } from '@tillkit/http'
import type { JsonObject } from './document.ts'
import { parametersOf } from './parameters.ts'
import { responsesOf } from './responses.ts'
import { jsonSchema } from './schema.ts'

/** The operations of `routes`, by path and method. `HEAD` is answered wherever `GET` is. */
export function pathsOf(routes: readonly RouteDescription[], prefix = ''): Record<string, JsonObject> {
  const paths: Record<string, JsonObject> = {}
  for (const route of routes) {
    const path = `${prefix}${route.path}`
    const item = paths[path] ?? {}
    item[route.method.toLowerCase()] = operationOf(route)
    if (route.method === 'GET') item.head = headOf(route)
    paths[path] = item
  }
  return paths
}

function operationOf(route: RouteDescription): JsonObject {
  const { operationId, summary, description, tag, answers, body, open } = route
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    ...(open && { security: [] }),
    parameters: parametersOf(route),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body, 'input') } } },
    }),
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
