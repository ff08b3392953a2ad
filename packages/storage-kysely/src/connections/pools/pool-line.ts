import type { Deadline } from '../limits/deadline.ts'

/** How many ask at once of a pool that does not say how many connections it has: hardly one has more, some of which may never answer. */
export const MOST_ASKING = 100

/**
 * Those who wait to ask a driver's pool for a connection. Most pools keep whoever has asked until there is one, however long ago
 * that call was given up: of a server that says nothing they would keep ever more. So at most as many ask at once as may be
 * answered at once, and whose time is over leaves the line.
 */
export class PoolLine {
  readonly #waiting = new Set<() => void>()
  #most: number
  #asking = 0

  /** @param most - how many may ask at once; `Infinity` for a pool that lets nobody wait without end. */
  constructor(most: number) {
    this.#most = most
  }

  /** As soon as the pool says so. */
  set most(most: number) {
    this.#most = most
    this.#letIn()
  }

  /** How many wait: for their turn, or for what the pool says. */
  get length(): number {
    return this.#asking + this.#waiting.size
  }

  /** When it is one's turn to ask. What it comes to says, once, that the pool has answered. */
  async turn(deadline: Deadline): Promise<() => void> {
    if (this.#asking < this.#most) this.#asking += 1
    else await this.#wait(deadline)
    let asks = true
    return () => {
      if (!asks) return
      asks = false
      this.#asking -= 1
      this.#letIn()
    }
  }

  /**
   * A connection by the deadline, that is asked for when it is one's turn. One that comes later is given back.
   *
   * @param opening - the pool, had at once: who waits when the storage is closed is still served.
   */
  async connect<Pool, Connection extends { release(): void }>(
    deadline: Deadline,
    opening: Promise<Pool>,
    ask: (pool: Pool) => Promise<Connection>,
  ): Promise<Connection> {
    // It is heard when it is one's turn.
    opening.catch(() => {})
    const answered = await this.turn(deadline)
    const connecting = opening.then(ask).finally(answered)
    return deadline.within(connecting, () => {
      connecting.then(
        late => late.release(),
        () => {},
      )
    })
  }

  #wait(deadline: Deadline): Promise<void> {
    let enter = () => {}
    const turn = new Promise<void>(resolve => {
      enter = resolve
    })
    this.#waiting.add(enter)
    return deadline.within(turn, () => this.#waiting.delete(enter))
  }

  #letIn(): void {
    for (const enter of this.#waiting) {
      if (this.#asking >= this.#most) return
      this.#waiting.delete(enter)
      this.#asking += 1
      enter()
    }
  }
}
