import { DatabaseError } from '@tillkit/storage'

/** The time of a call is over, and nothing was done that nobody knows of. */
export class OutOfTime extends DatabaseError {}

/** Who waits, and since when. */
interface Waiting {
  /** The merchant whose call it is, where it is one's. */
  whose?: string | undefined
  /** By `performance.now()`; left out, from now on. */
  since?: number | undefined
}

/** What is waited for: how it is given up, and who is told. */
interface InFlight {
  giveUp(): void
  reject(error: DatabaseError): void
}

/**
 * The moment by which a call is answered, whatever became of the database: one timer a call, which keeps no process
 * alive. What is in flight then is given up.
 */
export class Deadline {
  readonly #end: number
  readonly #seconds: number
  readonly #whose: string
  readonly #timer: NodeJS.Timeout | undefined
  #over = false
  #inFlight: InFlight | undefined

  /** @param seconds - from `since` on; `Infinity` for none. */
  constructor(seconds: number, { whose, since = performance.now() }: Waiting = {}) {
    this.#seconds = seconds
    this.#whose = whose === undefined ? '' : `, for a write of merchant ${whose}`
    this.#end = since + seconds * 1000
    if (seconds === Number.POSITIVE_INFINITY) return
    this.#timer = setTimeout(() => this.#expire(), Math.max(0, this.#end - performance.now()))
    this.#timer.unref()
  }

  /** How many milliseconds there are left. */
  get left(): number {
    return this.#over ? 0 : this.#end - performance.now()
  }

  /**
   * What `promise` comes to; at the deadline an error, with `giveUp` called first. One promise at a time. Where a call goes
   * on after its promise has come to something, `giveUp` may still be called: it does nothing then.
   */
  within<Result>(promise: Promise<Result>, giveUp: () => void): Promise<Result> {
    if (this.#timer === undefined) return promise
    return new Promise((resolve, reject) => {
      this.#inFlight = { giveUp, reject }
      promise.then(resolve, reject)
      if (this.#over) this.#abandon()
    })
  }

  error(): OutOfTime {
    return new OutOfTime(`the database did not answer within ${this.#seconds} seconds${this.#whose}`)
  }

  /** The call has ended by itself. */
  cancel(): void {
    clearTimeout(this.#timer)
    this.#inFlight = undefined
  }

  #abandon(): void {
    this.#inFlight?.giveUp()
    this.#inFlight?.reject(this.error())
  }

  #expire(): void {
    // A process that was stopped or busy finds its timers due before it reads the answers that wait for it.
    setImmediate(() =>
      setImmediate(() => {
        this.#over = true
        this.#abandon()
      }),
    )
  }
}

/** Does `work` by a deadline so many seconds from now, or from `since` on, by `performance.now()`. */
export function withinSeconds<Result>(
  seconds: number,
  work: (deadline: Deadline) => Promise<Result>,
  waiting?: Waiting,
): Promise<Result> {
  const deadline = new Deadline(seconds, waiting)
  return seconds === Number.POSITIVE_INFINITY ? work(deadline) : cancelled(deadline, work)
}

/** What `promise` comes to, or an error after so many seconds: who asks then ends what is in flight. */
export function awaitSeconds<Result>(seconds: number, promise: Promise<Result>): Promise<Result> {
  return withinSeconds(seconds, deadline => deadline.within(promise, () => {}))
}

async function cancelled<Result>(deadline: Deadline, work: (deadline: Deadline) => Promise<Result>) {
  try {
    return await work(deadline)
  } finally {
    deadline.cancel()
  }
}
