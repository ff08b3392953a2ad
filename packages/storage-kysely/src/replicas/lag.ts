/** How far a log has come. */
export interface Place {
  /** Which one it is: a position in another, such as the one of a server that takes over, is not to be compared. */
  log: string
  position: string
}

/** What is asked of a replica and of the server that it follows. */
export interface Followed {
  /** How far the log of the server that takes writes has come. */
  place(): Promise<Place>
  /** Whether the replica has come as far. Rejects where it follows another log. */
  hasReached(place: Place): Promise<boolean>
}

/** A moment, and how far the log had come then. */
interface Mark {
  at: number
  place: Place
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
  readonly #most: number
  #marks: Mark[] = []
  #upTo = Number.NEGATIVE_INFINITY
  #lookedAt = Number.NEGATIVE_INFINITY
  #looking = false
  #doubts = 0

  /** @param most - how far behind it may be, in seconds. */
  constructor(most: number) {
    this.#most = most * 1000
  }

  /** False until it is known that it is not too far behind; `followed` is asked for that. */
  isSmall(followed: Followed): boolean {
    const now = performance.now()
    if (!this.#looking && now - this.#lookedAt > Math.min(this.#most / LOOKS, SECOND))
      void this.#look(followed, now)
    return now - this.#upTo <= this.#most
  }

  /** The replica failed: it is left alone until it has been looked at again. */
  doubt(): void {
    this.#doubts += 1
    this.#upTo = Number.NEGATIVE_INFINITY
  }

  async #look(followed: Followed, at: number): Promise<void> {
    this.#looking = true
    this.#lookedAt = at
    const marks = await this.#mark(followed, at)
    const doubts = this.#doubts
    try {
      for (const reached of marks) {
        if (!(await followed.hasReached(reached.place))) continue
        // What failed meanwhile may have done so after the replica had said this.
        if (this.#doubts === doubts) this.#upTo = reached.at
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
  async #mark(followed: Followed, at: number): Promise<Mark[]> {
    const kept = this.#marks.filter(mark => at - mark.at <= this.#most)
    this.#marks = kept
    let place: Place
    try {
      place = await followed.place()
    } catch {
      return kept
    }
    const now = { at, place }
    const [last] = kept
    if (last && last.place.log !== place.log) {
      // What the replica has of the log before need not be in this one.
      this.doubt()
      this.#marks = [now]
      return this.#marks
    }
    const marks = [now, ...kept]
    if (!last || at - last.at > this.#most / MARKS) this.#marks = marks
    return marks
  }
}
