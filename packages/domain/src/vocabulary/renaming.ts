import { VOCABULARY, type VocabularyGroup, type VocabularyName } from './names.ts'
import { type Vocabulary, wordOf } from './vocabulary.ts'

/** Puts the words for the names of an object's fields, in their order; what it does not know stays. */
export type Renaming = (object: object) => Record<string, unknown>

/** How objects of a kind are put into other words; undefined where nothing of theirs has another. */
export function renamingOf(given: Vocabulary | undefined, group: VocabularyGroup): Renaming | undefined {
  const words = changedIn(given, group)
  if (words.length === 0) return undefined
  const wordFor = new Map<string, string>(words)
  return object => {
    const renamed: Record<string, unknown> = {}
    for (const name in object) renamed[wordFor.get(name) ?? name] = object[name as keyof typeof object]
    return renamed
  }
}

/** The names of a kind by their words, all of them; undefined where each is its own word. */
export function namesByWord(
  given: Vocabulary | undefined,
  group: VocabularyGroup,
): ReadonlyMap<string, VocabularyName> | undefined {
  if (changedIn(given, group).length === 0) return undefined
  return new Map(VOCABULARY[group].map(name => [wordOf(given, name), name]))
}

function changedIn(given: Vocabulary | undefined, group: VocabularyGroup): [VocabularyName, string][] {
  return VOCABULARY[group]
    .map((name): [VocabularyName, string] => [name, wordOf(given, name)])
    .filter(([name, word]) => word !== name)
}
