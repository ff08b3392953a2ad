import { StillLocked } from '../connections/still-locked.ts'

/** For how much longer than for another process's lock a turn is waited for here, in milliseconds: by default 15 s in all, as long as a write may take. */
const TURN_WAIT = 5000

const LONGEST_TIMER = 2 ** 31 - 1

/** Somebody who waits for the connection. */
interface Turn {
  take(): void
  refuse(error: Error): void
}

/**
 * Who waits for the one connection of this process. Whoever has it may be a transaction that the host leaves open: all others would wait
 * without end, and write when nobody asks any more.
 */
export class DriverTurns {
  readonly #file: string
  readonly #limit: number
  readonly #waiting: Turn[] = []

  constructor(file: string, lockWait: number) {
    this.#file = file
    this.#limit = lockWait + TURN_WAIT
  }

  /** Until it is handed over, or too late for one that has waited since then. */
  wait(since: number): Promise<void> {
    const waited = (from: number) => performance.now() - from
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      const place = this.#waiting.indexOf(turn)
      if (place === -1) return
      this.#waiting.splice(place, 1)
      const says = `a transaction of this process has held the lock of ${this.#file} for ${this.#limit / 1000} seconds`
      reject(new StillLocked(says, from => waited(from) >= this.#limit, {}))
    }
    const left = Math.min(this.#limit - waited(since), LONGEST_TIMER)
    // What the event loop has been kept from comes first: it may be the end of that transaction.
    const timer = setTimeout(() => setImmediate(leave), left)
    const turn: Turn = {
      take() {
        clearTimeout(timer)
        resolve()
      },
      refuse(error) {
        clearTimeout(timer)
        reject(error)
      },
    }
    this.#waiting.push(turn)
    return promise
  }

  /** Hands it to who has waited longest; false where nobody waits. */
  next(): boolean {
    const next = this.#waiting.shift()
    next?.take()
    return next !== undefined
  }

  refuseAll(error: Error): void {
    for (const turn of this.#waiting.splice(0)) turn.refuse(error)
  }
}
