import { TillError } from '@tillkit/domain'

/** The names of fields by the words that a vocabulary puts for them. */
export type NamesByWord = ReadonlyMap<string, string>

/** An object with our own names in place of the words of a vocabulary. */
export function inOwnNames(body: unknown, names: NamesByWord): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).map(([word, value]) => [names.get(word) ?? word, value]))
}

/** What `work` says is wrong, said of the words: of what a message begins with, and of names that are no words of English. */
export async function blamingWords<Result>(
  names: NamesByWord | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (names === undefined) return work()
  const words = new Map([...names].map(([word, name]) => [name, word]))
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TillError && error.code === 'invalid_input')) throw error
    const message = error.message.replace(/^\w+|[a-z]+[A-Z]\w*/g, name => words.get(name) ?? name)
    throw new TillError('invalid_input', message)
  }
}
