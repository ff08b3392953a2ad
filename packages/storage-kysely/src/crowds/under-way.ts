/** How many statements are under way at once: while one is at work, or is being committed, the next is on its way already. */
const UNDER_WAY = 2

/** Those that go together, the one that has waited longest first. */
export type Going<Waits> = [Waits, ...Waits[]]

/** Calls of which each goes at once while few enough are under way, and else waits and goes with the others that do. */
export abstract class UnderWay<Waits> {
  #waiting: Waits[] = []
  #underWay = 0

  add(one: Waits): void {
    this.#waiting.push(one)
    if (this.#underWay < UNDER_WAY) void this.#next()
  }

  async #next(): Promise<void> {
    this.#underWay += 1
    const [oldest, ...others] = this.#waiting.splice(0, this.fitting(this.#waiting))
    if (oldest !== undefined) await this.answer([oldest, ...others], this.#underWay === 1)
    this.#underWay -= 1
    if (this.#waiting.length > 0) void this.#next()
    else if (this.#underWay === 0) this.ended()
  }

  /** How many of those that wait, from the one on that has waited longest, may go together. */
  protected abstract fitting(waiting: Waits[]): number

  /** Answers those that go. `only` where nothing else is under way as they go. Never throws. */
  protected abstract answer(going: Going<Waits>, only: boolean): Promise<void>

  /** Nothing is under way, and nobody waits. */
  protected ended(): void {}
}
