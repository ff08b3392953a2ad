import { parseJson, validate } from '@tillkit/domain'
import { type HttpRequest, RequestError } from '@tillkit/http'
import type { z } from 'zod'
import { inOwnNames, type NamesByWord } from './names-in-words.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a JSON body of at most 64 KiB; nothing at all is an empty object. Throws `invalid_input` naming the field that is
 * wrong. `names` are those of fields that a vocabulary has other words for.
 */
export async function readBody<Output>(
  request: HttpRequest,
  schema: z.ZodType<Output>,
  names?: NamesByWord,
): Promise<Output> {
  const bytes = await request.body()
  const body = bytes.length === 0 ? {} : parse(bytes)
  return validate(schema, names === undefined ? body : inOwnNames(body, names), 'the body')
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJson(utf8.decode(bytes))
  } catch {
    throw new RequestError(400, 'the body must be a JSON object')
  }
}
