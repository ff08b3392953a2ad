import { ANSWER_HEADERS, type Answer, type AnswerHeader, type RouteDescription } from '@tillkit/http'
import type { Json, JsonObject } from './document.ts'
import { jsonSchema, refTo } from './schema.ts'

/** The answers of a route, by status. To `HEAD` they have no body. */
export function responsesOf(answers: readonly Answer[], bodies: boolean): Record<string, JsonObject> {
  return Object.fromEntries(answers.map(answer => [String(answer.status), responseOf(answer, bodies)]))
}

/** One answer, which refers to nothing but schemas: for where references are not looked for. */
export function wholeResponse(answer: Answer): JsonObject {
  return { status: answer.status, ...responseOf(answer, true, headerOf) }
}

function responseOf(answer: Answer, bodies: boolean, header = refToHeader): JsonObject {
  const content = bodies ? contentOf(answer) : {}
  return {
    description: answer.description,
    headers: Object.fromEntries([...new Set(answer.headers)].map(name => [name, header(name)])),
    ...(Object.keys(content).length > 0 && { content }),
  }
}

const refToHeader = (name: AnswerHeader): JsonObject => ({ $ref: `#/components/headers/${name}` })

function contentOf({ bodies = [], codes }: Answer): JsonObject {
  const content: JsonObject = {}
  for (const { mediaType, schema, example } of bodies) {
    content[mediaType] = {
      schema: schema === null ? textOrBytes(mediaType) : jsonSchema(schema, 'input'),
      ...(example !== undefined && { example: example as Json }),
    }
  }
  if (codes !== undefined) {
    const examples = Object.entries(codes).map(([code, message]) => [code, { value: { message, code } }])
    content['application/json'] = { schema: refTo('Error'), examples: Object.fromEntries(examples) }
  }
  return content
}

/** OpenAPI 3.1 has no schema for bytes: their media type says it all. */
function textOrBytes(mediaType: string): JsonObject {
  return mediaType === 'image/png' ? {} : { type: 'string' }
}

/** All headers that answers of `routes` may have, by their names. */
export function headersOf(routes: readonly RouteDescription[]): Record<string, JsonObject> {
  const names = new Set(routes.flatMap(({ answers }) => answers.flatMap(({ headers }) => headers)))
  return Object.fromEntries([...names].map(name => [name, headerOf(name)]))
}

function headerOf(name: AnswerHeader): JsonObject {
  const schema = ANSWER_HEADERS[name]
  const { description = '', ...values } = jsonSchema(schema, 'output')
  const always = !schema.safeParse(undefined).success
  return { description, ...(always && { required: true }), schema: values }
}
