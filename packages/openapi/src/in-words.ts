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

/** What a message about something that is wrong may begin with. */
const BLAMED: ReadonlySet<string> = new Set(
  (['list', 'payment', 'paymentUrl'] as const).flatMap(group => VOCABULARY[group]),
)

/** The document in the words of a vocabulary. */
export function inWords(document: OpenApiDocument, vocabulary: Vocabulary): OpenApiDocument {
  const word = (name: string) => (KNOWN.has(name) ? wordOf(vocabulary, name as VocabularyName) : name)
  const scheme = wordOf(vocabulary, 'Service')
  const sentence = (text: string) =>
    text
      .replaceAll('`Service signature=`', () => `\`${scheme} signature=\``)
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

  /** What an example shows: an error, a payment, a cash up, what has no other words, or a list. */
  function example(given: Json): Json {
    if (Array.isArray(given)) return given.map(example)
    if (given === null || typeof given !== 'object') return given
    const shown: JsonObject = given
    if (typeof shown.message === 'string') {
      const message = shown.message.replace(/^\w+/, name => (BLAMED.has(name) ? word(name) : name))
      return renamed({ ...shown, message }, 'error')
    }
    if ('id' in shown) return renamed(shown, 'payment')
    return 'date' in shown ? renamed(shown, 'cashUp') : shown
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
      // By a function: a scheme may have `$&`, which means something in a text.
      () => `${wordOf(vocabulary, 'Service').replace(/[.*+?^$|]/g, '\\\\$&')} signature=`,
    )
  return JSON.parse(text)
}
