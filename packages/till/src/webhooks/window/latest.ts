/** Values by key, of which those that were set last are kept. */
export interface Latest<Key, Value> {
  set(key: Key, value: Value): void
  get(key: Key): Value | undefined
  delete(key: Key): void
}

/** Keeps `most` values. */
export function createLatest<Key, Value>(most: number): Latest<Key, Value> {
  const values = new Map<Key, Value>()
  return {
    set(key, value) {
      values.delete(key)
      values.set(key, value)
      if (values.size <= most) return
      for (const oldest of values.keys()) {
        values.delete(oldest)
        return
      }
    },
    get: key => values.get(key),
    delete(key) {
      values.delete(key)
    },
  }
}
