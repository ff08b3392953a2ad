import type { RouteDescription } from '@tillkit/http'
import type { z } from 'zod'
import type { JsonObject } from './document.ts'
import { jsonSchema } from './schema.ts'

const REQUEST_ID: JsonObject = {
  name: 'X-Request-Id',
  in: 'header',
  description: 'Names the request; one that is not 1 to 128 of `A-Za-z0-9._-` is replaced.',
  schema: { type: 'string' },
}

/** What a route reads beside its body. */
export function parametersOf({
  parameters,
  query,
  headers,
  otherParameters,
}: RouteDescription): JsonObject[] {
  const all = [...each(parameters, 'path'), ...each(query, 'query'), ...each(headers, 'header'), REQUEST_ID]
  if (otherParameters === undefined) return all
  return [
    ...all,
    {
      name: 'others',
      in: 'query',
      description: otherParameters,
      style: 'form',
      explode: true,
      schema: { type: 'object', additionalProperties: { type: 'string' } },
    },
  ]
}

function each(schema: z.ZodObject | undefined, where: 'path' | 'query' | 'header'): JsonObject[] {
  if (schema === undefined) return []
  const { properties = {} } = jsonSchema(schema, 'output')
  return Object.entries(properties as Record<string, JsonObject>).map(([name, property]) => {
    const { description = '', ...values } = property
    return {
      name,
      in: where,
      description,
      ...(where === 'path' && { required: true }),
      ...(values.type === 'array' && { style: 'form', explode: false }),
      schema: values,
    }
  })
}
