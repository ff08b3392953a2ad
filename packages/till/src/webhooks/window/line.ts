/** Those who may start, in the order of their turns. */
export interface Line<One> extends Iterable<One> {
  readonly size: number
  has(one: One): boolean
  /** Puts it at the end, unless it stands there already; `isNew` where it has had no turn yet. */
  add(one: One, isNew: boolean): void
  delete(one: One): void
  /** Who has waited longest. */
  first(): One | undefined
  /**
   * Whose turn it is, who has left the line now: the first, and every other time whoever of the new ones came last. So one
   * that comes behind a thousand who hold their places for long waits for two turns.
   */
  take(): One | undefined
  /** How many are new, and the one of them in the middle: it is the furthest from its turn. */
  newcomers(): { count: number; middle: One | undefined }
}

/** An empty line of what has come in the order of `came`, which never changes. */
export function createLine<One extends { readonly came: number }>(): Line<One> {
  const all = new Set<One>()
  /** The new ones as they came. */
  const fresh: One[] = []
  let isTurnOfLast = false

  const placeOf = ({ came }: One) => {
    let [low, high] = [0, fresh.length]
    while (low < high) {
      const half = (low + high) >> 1
      if ((fresh[half] as One).came < came) low = half + 1
      else high = half
    }
    return low
  }
  const remove = (one: One) => {
    all.delete(one)
    for (let place = placeOf(one); fresh[place]?.came === one.came; place++) {
      if (fresh[place] === one) fresh.splice(place, 1)
    }
  }
  const first = () => all.values().next().value

  return {
    get size() {
      return all.size
    },
    has: one => all.has(one),
    add(one, isNew) {
      if (all.has(one)) return
      all.add(one)
      if (isNew) fresh.splice(placeOf(one), 0, one)
    },
    delete: remove,
    first,
    take() {
      const one = (isTurnOfLast ? fresh.at(-1) : undefined) ?? first()
      isTurnOfLast = !isTurnOfLast
      if (one !== undefined) remove(one)
      return one
    },
    newcomers: () => ({ count: fresh.length, middle: fresh[fresh.length >> 1] }),
    [Symbol.iterator]: () => all.values(),
  }
}
