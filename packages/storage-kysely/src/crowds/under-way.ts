/** How many statements are under way at once: while one is at work, or is being committed, the next is on its way already. */
const UNDER_WAY = 2

/** Those that go together, the one that has waited longest first. */
export type Going<Waits> = [Waits, ...Waits[]]

/** Calls of which each goes at once while few enough are under way, and else waits and goes with the others that do. */
export abstract class UnderWay<Waits> {
  readonly #patience: number
  #waiting: Waits[] = []
  /** When those that are under way went, the last of them last. */
  #went: number[] = []
  #timer: NodeJS.Timeout | undefined

  /** @param patience - how long, in milliseconds, the next waits for what went last to end before it goes beside it. */
  constructor(patience = 0) {
    this.#patience = patience
  }

  add(one: Waits): void {
    this.#waiting.push(one)
    this.#advance()
  }

  #advance(): void {
    const last = this.#went.at(-1)
    if (this.#waiting.length === 0 || this.#went.length === UNDER_WAY) return
    const wait = last === undefined ? 0 : last + this.#patience - performance.now()
    if (wait <= 0) void this.#go()
    else this.#timer ??= setTimeout(() => this.#isOver(), wait)
  }

  #isOver(): void {
    this.#timer = undefined
    this.#advance()
  }

  async #go(): Promise<void> {
    const now = performance.now()
    this.#went.push(now)
    const [oldest, ...others] = this.#waiting.splice(0, this.fitting(this.#waiting))
    if (oldest !== undefined) await this.answer([oldest, ...others], this.#went.length === 1)
    this.#went.splice(this.#went.indexOf(now), 1)
    if (this.#waiting.length > 0) this.#advance()
    else if (this.#went.length === 0) this.ended()
  }

  /** How many of those that wait, from the one on that has waited longest, may go together. */
  protected abstract fitting(waiting: Waits[]): number

  /** Answers those that go. `only` where nothing else is under way as they go. Never throws. */
  protected abstract answer(going: Going<Waits>, only: boolean): Promise<void>

  /** Nothing is under way, and nobody waits. */
  protected ended(): void {}
}
