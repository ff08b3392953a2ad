import { validate } from '@tillkit/domain'
import { type HttpRequest, RequestError } from '@tillkit/http'
import type { z } from 'zod'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a JSON body of at most 64 KiB; nothing at all is an empty object. Throws `invalid_input` naming the field that is
 * wrong. `names` are those of fields that a vocabulary has other words for.
 */
export async function readBody<Output>(
  request: HttpRequest,
  schema: z.ZodType<Output>,
  names?: ReadonlyMap<string, string>,
): Promise<Output> {
  const bytes = await request.body()
  const body = bytes.length === 0 ? {} : parse(bytes)
  return validate(schema, names === undefined ? body : named(body, names), 'the body')
}

/** An object with our own names in place of the words of a vocabulary. */
function named(body: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).map(([word, value]) => [names.get(word) ?? word, value]))
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw new RequestError(400, 'the body must be a JSON object')
  }
}
