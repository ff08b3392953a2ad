import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** Keeps a form that is sent twice, by a second press or a reload, from doing its work twice in this process. */
export interface Once {
  /** A new name for a form. */
  make(): string
  /** True for the first that comes with a name. */
  take(name: string): boolean
  /** The form did nothing, or what it does takes place once in any case: it may be sent again. */
  giveBack(name: string): void
}

const NAME = /^[A-Za-z0-9_-]{22}$/

export function createOnce(): Once {
  const taken = new LRUCache<string, true>({ max: 10_000 })
  return {
    make: () => randomBytes(16).toString('base64url'),
    take(name) {
      if (!NAME.test(name) || taken.has(name)) return false
      taken.set(name, true)
      return true
    },
    giveBack(name) {
      taken.delete(name)
    },
  }
}
