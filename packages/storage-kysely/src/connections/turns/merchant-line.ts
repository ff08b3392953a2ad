import { DatabaseError } from '@tillkit/storage'
import { turnChannel } from '@tillkit/storage/channels'

/** What a write waits for, if it waits: the merchant's own lock, or rows that others of its writes may be at. */
export type Locks = 'merchant' | 'rows'

/** Whose turn it is, for a line to ask. */
export interface Turns {
  mayBegin(line: Line): boolean
  /** Counts a write of `line` as begun; what it returns counts it as ended. */
  begin(line: Line): () => void
  /** Has `line` woken when its turn may have come. */
  wait(line: Line): void
  leave(line: Line): void
}

/** The turn did not come in time. */
export class TurnTooLate extends DatabaseError {}

/** The writes of one merchant that wait for the same. */
export class Line {
  readonly merchantId: string | undefined
  readonly locks: Locks
  /** Start what waits, the one that has waited longest first. */
  readonly waiting: (() => void)[] = []
  calls = 0
  running = 0
  /** The last of its writes that ended had waited for a lock in vain. */
  stuck = false
  readonly #turns: Turns

  constructor(turns: Turns, merchantId: string | undefined, locks: Locks) {
    this.#turns = turns
    this.merchantId = merchantId
    this.locks = locks
  }

  leave(): void {
    this.#turns.leave(this)
  }

  /**
   * Runs `write` at this merchant's turn, before all others where it is run `again`. Rejects with `TurnTooLate` when the turn
   * has not come within so many milliseconds. `waitedInVain` tells the errors that say that a lock was not had.
   */
  async turn<Result>(
    write: () => Promise<Result>,
    milliseconds: number,
    again: boolean,
    waitedInVain: (error: unknown) => boolean,
  ): Promise<Result> {
    const free = (again || this.waiting.length === 0) && this.#turns.mayBegin(this)
    const end = free ? this.#turns.begin(this) : await this.#toldWait(milliseconds, again)
    try {
      const result = await write()
      this.stuck = false
      return result
    } catch (error) {
      this.stuck = this.merchantId !== undefined && waitedInVain(error)
      throw error
    } finally {
      end()
    }
  }

  /** Waits, and tells of it where somebody listens. */
  #toldWait(milliseconds: number, again: boolean): Promise<() => void> {
    if (!turnChannel.hasSubscribers) return this.#wait(milliseconds, again)
    const { merchantId, locks } = this
    return turnChannel.tracePromise(this.#wait, { merchantId, locks }, this, milliseconds, again)
  }

  #wait(milliseconds: number, again: boolean): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        resolve(this.#turns.begin(this))
      }
      const timer = setTimeout(
        () => {
          const place = this.waiting.indexOf(start)
          if (place !== -1) this.waiting.splice(place, 1)
          reject(new TurnTooLate('the turn to write did not come'))
        },
        Math.max(1, milliseconds),
      )
      timer.unref()
      if (again) this.waiting.unshift(start)
      else this.waiting.push(start)
      this.#turns.wait(this)
    })
  }
}
