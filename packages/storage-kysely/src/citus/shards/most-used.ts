/** After how many uses for each that is kept the choice is looked at again. */
const USES = 50

/** How many times as often as one that is kept another must have been used to take its place: a choice by chance would change each time. */
const FAR_MORE = 2

/** Which of many are kept, `most` at once: those that are used most of late. */
export class MostUsed {
  readonly #most: number
  readonly #kept = new Set<string>()
  #uses = new Map<string, number>()
  #counted = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Counts a use, and says whether it is of one that is kept. */
  use(name: string): boolean {
    this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1)
    this.#counted += 1
    if (this.#kept.size < this.#most) this.#kept.add(name)
    else if (this.#counted >= USES * this.#most) this.#choose()
    return this.#kept.has(name)
  }

  #choose(): void {
    const usesOf = (name: string) => this.#uses.get(name) ?? 0
    const least = [...this.#kept].sort((a, b) => usesOf(a) - usesOf(b))
    const others = [...this.#uses.keys()].filter(name => !this.#kept.has(name))
    const best = others.sort((a, b) => usesOf(b) - usesOf(a))
    for (const [n, name] of best.slice(0, least.length).entries()) {
      const worst = least[n] as string
      if (usesOf(name) <= FAR_MORE * usesOf(worst)) break
      this.#kept.delete(worst)
      this.#kept.add(name)
    }
    // What was long ago counts for less and less, and at last for nothing.
    const halved = [...this.#uses].map(([name, uses]) => [name, Math.floor(uses / 2)] as const)
    this.#uses = new Map(halved.filter(([, uses]) => uses > 0))
    this.#counted = 0
  }
}
