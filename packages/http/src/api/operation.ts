import type { z } from 'zod'
import type { RouteDescription } from '../description/route-description.ts'
import type { HttpResponse } from '../handler.ts'
import type { Call, Endpoint } from './call.ts'
import { readQuery } from './query.ts'

/** One operation, with what answers it; method and path are the route's. */
export interface Operation extends Omit<RouteDescription, 'method' | 'path'> {
  /** What answers it. */
  endpoint: Endpoint
}

type Description = Omit<RouteDescription, 'method' | 'path' | 'tag' | 'query'>

/** An operation without query parameters. */
export function operation(tag: string, description: Description, endpoint: Endpoint): Operation {
  return { tag, ...description, endpoint }
}

/** An operation with query parameters: the schema that reads them is the one that describes them. */
export function listOperation<Shape extends z.ZodRawShape>(
  tag: string,
  description: Description & { query: z.ZodObject<Shape> },
  endpoint: (call: Call, query: z.output<z.ZodObject<Shape>>) => Promise<HttpResponse>,
): Operation {
  const { query } = description
  return {
    tag,
    ...description,
    endpoint: call => endpoint(call, readQuery(query, call.request.query, call.words.parameters)),
  }
}
