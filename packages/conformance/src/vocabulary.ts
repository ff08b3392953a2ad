/**
 * Other words for the names of the contract: of fields, query parameters and parts of paths. What is not named stays.
 * `{ "scanCode": "snapCode", "scan_code_size": "snap_code_size" }`
 */
export type Vocabulary = Readonly<Record<string, string>>

/** Puts an instance's words for those of the contract, and back. */
export interface Words {
  /** One name. */
  name(ours: string): string
  /** The parts of a path. */
  path(ours: string): string
  /** The names of a query. */
  query(ours: string): string
  /** JSON of theirs, with the names of the contract. */
  json(theirs: unknown): unknown
}

/** What an instance says for the names of the contract. */
export function wordsOf(vocabulary: Vocabulary): Words {
  const name = (ours: string) => (Object.hasOwn(vocabulary, ours) ? (vocabulary[ours] as string) : ours)
  const back = new Map(Object.entries(vocabulary).map(([ours, theirs]) => [theirs, ours]))

  const key = (theirs: string) => {
    const ours = back.get(theirs)
    if (ours !== undefined) return ours
    // One of ours for which there is another word says that it was not put in.
    return name(theirs) === theirs ? theirs : `${theirs} (which should be ${name(theirs)})`
  }
  const json = (theirs: unknown): unknown => {
    if (Array.isArray(theirs)) return theirs.map(json)
    if (typeof theirs !== 'object' || theirs === null) return theirs
    // What is in `extra` was named by customers' URLs. Payments, cash ups and errors have no other objects in them.
    return Object.fromEntries(Object.entries(theirs).map(([theirs, value]) => [key(theirs), value]))
  }
  return {
    name,
    path: ours => ours.split('/').map(name).join('/'),
    query: ours =>
      ours
        .split('&')
        .map(pair => {
          const [, parameter = '', rest = ''] = /^([^=]*)(.*)$/s.exec(pair) ?? []
          return `${name(parameter)}${rest}`
        })
        .join('&'),
    json: back.size === 0 ? theirs => theirs : json,
  }
}
