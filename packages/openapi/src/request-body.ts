import { renamingOf, type Vocabulary, type VocabularyName, wordOf } from '@tillkit/domain'
import type { RouteDescription } from '@tillkit/http'
import type { JsonObject } from './document.ts'
import { jsonSchema } from './schema.ts'

/** The JSON body of a route, where it has one. */
export function requestBodyOf(
  { body, bodyOf }: RouteDescription,
  vocabulary: Vocabulary | undefined,
): { requestBody?: JsonObject } {
  if (body === undefined) return {}
  const schema = jsonSchema(body, 'input')
  const worded = bodyOf === undefined ? schema : inWords(schema, bodyOf, vocabulary)
  const required = !body.safeParse({}).success
  return { requestBody: { required, content: { 'application/json': { schema: worded } } } }
}

function inWords(schema: JsonObject, group: 'payment', vocabulary: Vocabulary | undefined): JsonObject {
  const renamed = renamingOf(vocabulary, group)
  if (renamed === undefined) return schema
  const { properties, required = [] } = schema as { properties: JsonObject; required?: string[] }
  return {
    ...schema,
    properties: renamed(properties) as JsonObject,
    required: required.map(name => wordOf(vocabulary, name as VocabularyName)),
  }
}
