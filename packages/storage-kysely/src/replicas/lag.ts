/** What is asked of a replica and of the server that it follows. */
export interface Followed {
  /** How far the log of the server that takes writes has come. */
  position(): Promise<string>
  /** Whether the replica has come as far. */
  hasReached(position: string): Promise<boolean>
}

/** A moment, and how far the log had come then. */
interface Mark {
  at: number
  position: string
}

/** How often the replica is looked at: so often in the time that it may lag behind, and every second in any case. */
const LOOKS = 4
const SECOND = 1000

/** How many marks are kept of that time, for a replica that lags behind all the while. */
const MARKS = 16

/**
 * How far behind a replica is, by no clock but that of this process: at each look it is noted how far the log of the other
 * server has come. What the replica has reached of that was all there was at that moment, so it is no further behind than
 * that. It is looked at as long as it is asked for, beside the calls that ask.
 */
export class Lag {
  readonly #followed: Followed
  readonly #most: number
  #marks: Mark[] = []
  #upTo = Number.NEGATIVE_INFINITY
  #lookedAt = Number.NEGATIVE_INFINITY
  #looking = false

  /** @param most - how far behind it may be, in seconds. */
  constructor(followed: Followed, most: number) {
    this.#followed = followed
    this.#most = most * 1000
  }

  /** False until it is known that it is not too far behind. */
  isSmall(): boolean {
    const now = performance.now()
    if (!this.#looking && now - this.#lookedAt > Math.min(this.#most / LOOKS, SECOND)) void this.#look(now)
    return now - this.#upTo <= this.#most
  }

  /** The replica failed: it is left alone until it has been looked at again. */
  doubt(): void {
    this.#upTo = Number.NEGATIVE_INFINITY
  }

  async #look(at: number): Promise<void> {
    this.#looking = true
    this.#lookedAt = at
    const marks = await this.#mark(at)
    try {
      for (const reached of marks) {
        if (!(await this.#followed.hasReached(reached.position))) continue
        this.#upTo = reached.at
        // After a doubt it need not come any further than that to be asked again.
        this.#marks = [...this.#marks.filter(mark => mark.at > reached.at), reached]
        break
      }
    } catch {
      this.doubt()
    } finally {
      this.#looking = false
    }
  }

  /** The marks to ask for, the newest first. Where the other server cannot be asked, those that are known. */
  async #mark(at: number): Promise<Mark[]> {
    const kept = this.#marks.filter(mark => at - mark.at <= this.#most)
    this.#marks = kept
    try {
      const marks = [{ at, position: await this.#followed.position() }, ...kept]
      if (!kept[0] || at - kept[0].at > this.#most / MARKS) this.#marks = marks
      return marks
    } catch {
      return kept
    }
  }
}
