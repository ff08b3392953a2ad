import {
  renamingOf,
  VOCABULARY,
  type Vocabulary,
  type VocabularyGroup,
  type VocabularyName,
  wordOf,
} from '@tillkit/domain'
import type { Json, JsonObject, OpenApiDocument } from './document.ts'

const SCHEMAS: Record<string, VocabularyGroup> = {
  Payment: 'payment',
  DevicePayment: 'payment',
  CashUp: 'cashUp',
  Error: 'error',
}

const KNOWN: ReadonlySet<string> = new Set(Object.values(VOCABULARY).flat())

/** The document of the API, before routes of a host's own are added, in the words of a vocabulary. */
export function inWords(document: OpenApiDocument, vocabulary: Vocabulary): OpenApiDocument {
  const word = (name: string) => (KNOWN.has(name) ? wordOf(vocabulary, name as VocabularyName) : name)
  const scheme = wordOf(vocabulary, 'Service')
  const sentence = (text: string) =>
    text
      .replaceAll('`Service signature=`', `\`${scheme} signature=\``)
      .replace(/`(\w+)`/g, (_, name: string) => `\`${word(name)}\``)

  function renamed(object: JsonObject, group: VocabularyGroup): JsonObject {
    return (renamingOf(vocabulary, group)?.(object) as JsonObject | undefined) ?? object
  }

  function schema(given: JsonObject, group: VocabularyGroup): JsonObject {
    const required = given.required as string[]
    return {
      ...given,
      properties: renamed(given.properties as JsonObject, group),
      required: required.map(word),
    }
  }

  /** What an example shows: an error, a payment, a cash up, or a list of the latter. */
  function example(given: Json): Json {
    if (Array.isArray(given)) return given.map(example)
    const shown = given as JsonObject
    if (typeof shown.message === 'string') {
      return renamed({ ...shown, message: shown.message.replace(/^\w+/, word) }, 'error')
    }
    return renamed(shown, 'id' in shown ? 'payment' : 'cashUp')
  }

  function part(given: Json, name = ''): Json {
    if (typeof given === 'string') return name === 'description' ? sentence(given) : given
    if (Array.isArray(given)) return given.map(inner => part(inner))
    if (given === null || typeof given !== 'object') return given
    const inner = Object.fromEntries(
      Object.entries(given).map(([key, value]) => {
        if (key === 'example') return [key, example(value)]
        if (key === 'value' && name !== '') return [key, example(value)]
        return [key, part(value, key)]
      }),
    )
    return inner.in === 'query' ? { ...inner, name: word(String(inner.name)) } : inner
  }

  const changed = part(document) as OpenApiDocument
  const schemas = Object.entries(changed.components.schemas as Record<string, JsonObject>)
  return {
    ...changed,
    paths: Object.fromEntries(
      Object.entries(changed.paths).map(([path, item]) => [path.split('/').map(word).join('/'), item]),
    ),
    webhooks: webhookInWords(changed.webhooks, vocabulary),
    components: {
      ...changed.components,
      schemas: Object.fromEntries(
        schemas.map(([name, given]) => [name, schema(given, SCHEMAS[name] as VocabularyGroup)]),
      ),
    },
  }
}

/** The field of its form, and the scheme before its signature. */
function webhookInWords(
  webhooks: OpenApiDocument['webhooks'],
  vocabulary: Vocabulary,
): OpenApiDocument['webhooks'] {
  const text = JSON.stringify(webhooks)
    .replaceAll('"payload"', JSON.stringify(wordOf(vocabulary, 'payload')))
    .replaceAll(
      'Service signature=',
      `${wordOf(vocabulary, 'Service').replace(/[.*+?^$|]/g, '\\\\$&')} signature=`,
    )
  return JSON.parse(text)
}
