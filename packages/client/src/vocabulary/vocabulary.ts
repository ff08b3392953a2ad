import { NAMES, type NameGroup } from './names.ts'

/**
 * A provider's other words for the names of fields, query parameters and path words, and for the scheme before `signature=`,
 * by our names: `{ scanCode: 'snapCode', scan_code_size: 'snap_code_size', Service: 'SnapScan' }`. What is not named stays.
 */
export type Vocabulary = { readonly [name: string]: string | undefined }

/** Puts names into a provider's words, and objects of its answers back into ours. */
export interface Words {
  /** The provider's word for one of our names. */
  word(name: string): string
  /** An answer's object under our names; what is in its fields stays as it is. */
  ours(group: NameGroup, object: object): object
}

const KNOWN: ReadonlySet<string> = new Set(Object.values(NAMES).flat())
const WORD = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
const SCHEME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/

/**
 * The words of a vocabulary. Throws a TypeError naming an entry that is not one of our names, has no fit word, or the word of
 * a name that stands beside it.
 */
export function wordsOf(vocabulary: Vocabulary = {}): Words {
  if (typeof vocabulary !== 'object' || vocabulary === null || Array.isArray(vocabulary)) {
    throw new TypeError('vocabulary must be an object of words by their names')
  }
  const changed = new Map<string, string>()
  for (const [name, word] of Object.entries(vocabulary)) {
    if (!KNOWN.has(name)) {
      throw new TypeError(`vocabulary.${name} is not a name of the API, which are ${[...KNOWN].join(', ')}`)
    }
    if (word === undefined || word === name) continue
    if (typeof word !== 'string' || !(name === 'Service' ? SCHEME : WORD).test(word)) {
      throw new TypeError(`vocabulary.${name} must be a word of 1 to 64 letters, digits, _ and -`)
    }
    changed.set(name, word)
  }
  const word = (name: string) => changed.get(name) ?? name
  for (const names of Object.values(NAMES)) refuseCollisions(names, word)
  return {
    word,
    ours: (group, object) => (changed.size === 0 ? object : renamed(NAMES[group], word, object)),
  }
}

function refuseCollisions(names: readonly string[], word: (name: string) => string): void {
  const taken = new Map<string, string>()
  for (const name of names) {
    const other = taken.get(word(name))
    if (other !== undefined) {
      const [named, owner] = word(name) === name ? [other, name] : [name, other]
      throw new TypeError(`vocabulary.${named} must not be ${word(name)}, the word for ${owner} beside it`)
    }
    taken.set(word(name), name)
  }
}

function renamed(names: readonly string[], word: (name: string) => string, object: object): object {
  const back = new Map(names.map(name => [word(name), name]))
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [back.get(key) ?? key, value]))
}
