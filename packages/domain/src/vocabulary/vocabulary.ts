import { z } from 'zod'
import { holdsProperties } from '../values/properties.ts'
import { VOCABULARY, type VocabularyGroup, type VocabularyName } from './names.ts'

/**
 * Other words for the names of fields, parameters and path words, and for the scheme before `signature=`, for a provider whose
 * merchants' programs know such an API under other names: `{ scanCode: 'snapCode', Service: 'SnapScan' }`. What is not named
 * stays. A name that stands for several things, as `id` for a payment's number and for the order in a payment URL, has one
 * word for all of them.
 */
export type Vocabulary = { readonly [Name in VocabularyName]?: string | undefined }

/** Fit for a field, a parameter and a segment of a path, as it is. */
const WORD = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
/** A token of HTTP. */
const SCHEME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/

const KNOWN: ReadonlySet<string> = new Set(Object.values(VOCABULARY).flat())

/** Checks a `Vocabulary`, and leaves out what it does not change: undefined when that is everything. */
export const vocabulary = z
  .custom<Vocabulary>(holdsProperties, 'must be an object of words by their names')
  .superRefine((given, context) => {
    const wrong = faultOf(given)
    if (wrong !== null) context.addIssue({ code: 'custom', path: [wrong.name], message: wrong.problem })
  })
  .transform((given): Vocabulary | undefined => {
    const changed = Object.entries(given).filter(([name, word]) => word !== undefined && word !== name)
    return changed.length === 0 ? undefined : Object.freeze(Object.fromEntries(changed))
  })

interface Fault {
  name: string
  problem: string
}

function faultOf(given: Vocabulary): Fault | null {
  for (const [name, word] of Object.entries(given)) {
    if (!KNOWN.has(name)) {
      return { name, problem: `is not a name of the vocabulary, which are ${[...KNOWN].join(', ')}` }
    }
    if (word === undefined) continue
    const fits = name === 'Service' ? SCHEME : WORD
    if (typeof word !== 'string' || !fits.test(word)) return { name, problem: fitness(name) }
  }
  for (const group of Object.keys(VOCABULARY) as VocabularyGroup[]) {
    const twice = collision(given, VOCABULARY[group])
    if (twice !== null) return twice
  }
  return null
}

function fitness(name: string): string {
  return name === 'Service'
    ? "must be a scheme of 1 to 64 letters, digits and !#$%&'*+.^_`|~-"
    : 'must be a word of 1 to 64 letters, digits, _ and - that begins with a letter'
}

/** Names the one that was given another word, not the one whose word it is. */
function collision(given: Vocabulary, names: readonly VocabularyName[]): Fault | null {
  const taken = new Map<string, VocabularyName>()
  for (const name of names) {
    const word = wordOf(given, name)
    const other = taken.get(word)
    if (other !== undefined) {
      const [named, owner] = word === name ? [other, name] : [name, other]
      return { name: named, problem: `must not be ${word}, the word for ${owner} beside it` }
    }
    taken.set(word, name)
  }
  return null
}

/** The word for a name. */
export function wordOf(given: Vocabulary | undefined, name: VocabularyName): string {
  return given?.[name] ?? name
}
