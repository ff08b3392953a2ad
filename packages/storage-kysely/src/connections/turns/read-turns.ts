import { type Deadline, OutOfTime, withinSeconds } from '../limits/deadline.ts'
import { TurnTooLate } from './merchant-line.ts'

/** The part of the connections that long reads of one merchant and kind may have, and those of all merchants together. */
const OF_ONE = 0.3
const OF_ALL = 0.7

/** The part of its time that a read waits at most: what has its turn then has the rest left, and is not given up halfway. */
const TO_WAIT = 0.5

/** What is read: lists; or those by a merchant's own reference, by which a till finds its payment, and which wait for no other lists of it. */
export type LongRead = 'lists' | 'lookups'

/** The long reads of one merchant, of one kind. */
interface Line {
  readonly merchantId: string
  readonly kind: LongRead
  running: number
  /** Start what waits, in the order in which it came. */
  readonly waiting: Set<() => void>
}

/**
 * Whose turn it is to read what may take long, such as a page whose total has to be counted. Those of one merchant go a few at a time, and
 * those of all leave some connections to everything else. The others wait here and not at the pool: each in a line of its merchant's, which
 * are let in one after the other.
 */
export class ReadTurns {
  readonly #size: () => number
  readonly #lines = { lists: new Map<string, Line>(), lookups: new Map<string, Line>() }
  /** Those with somebody waiting, the one whose turn is longest ago first. */
  readonly #queue = new Set<Line>()
  #running = 0
  /** What still holds a connection, by the error that its read was given up with. */
  readonly #outlasting = new WeakMap<Error, Promise<unknown>>()

  /** @param size - how many connections there are. */
  constructor(size: () => number) {
    this.#size = size
  }

  /**
   * Reads at this merchant's turn: at once where there is room. What has to wait is answered within so many seconds, its wait included:
   * `TurnTooLate` says that its turn has not come in half of them, `OutOfTime` that it came and the rest of them was not enough.
   */
  take<Result>(
    merchantId: string,
    seconds: number,
    read: () => Promise<Result>,
    kind: LongRead = 'lists',
  ): Promise<Result> {
    const line = this.#lines[kind].get(merchantId) ?? { merchantId, kind, running: 0, waiting: new Set() }
    this.#lines[kind].set(merchantId, line)
    if (line.waiting.size > 0 || !this.#mayBegin(line)) return this.#takeLater(line, seconds, read)
    this.#begin(line)
    return this.#ending(line, read)
  }

  /** Has the turn of a read that ends in `error` last as long as `rest` does. */
  outlast(error: Error, rest: Promise<unknown>): void {
    this.#outlasting.set(error, rest)
  }

  async #takeLater<Result>(line: Line, seconds: number, read: () => Promise<Result>): Promise<Result> {
    const since = performance.now()
    const patience = seconds * TO_WAIT
    await withinSeconds(patience, deadline => this.#wait(line, deadline), { since }).catch(() => {
      throw new TurnTooLate(this.#tooLate(line, patience))
    })
    const left = Math.max(0, seconds - (performance.now() - since) / 1000)
    const answer = this.#ending(line, read)
    let givenUp = false
    const giveUp = () => {
      givenUp = true
    }
    return withinSeconds(seconds, deadline => deadline.within(answer, giveUp), { since }).catch(error => {
      throw givenUp ? new OutOfTime(unanswered(line.merchantId, left, seconds)) : error
    })
  }

  #tooLate({ merchantId, running, kind }: Line, patience: number): string {
    const underWay = `${running} ${kind} of that merchant are under way, and ${this.#running} of all merchants`
    return `a list of merchant ${merchantId} waited ${patience} seconds for its turn: ${underWay}`
  }

  /** Until its turn has come, and it is counted as begun. */
  #wait(line: Line, deadline: Deadline): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    line.waiting.add(resolve)
    this.#queue.add(line)
    return deadline.within(promise, () => {
      if (line.waiting.delete(resolve)) this.#forgetIdle(line)
    })
  }

  #mayBegin(line: Line): boolean {
    return this.#running < this.#most(OF_ALL) && line.running < this.#most(OF_ONE)
  }

  #begin(line: Line): void {
    this.#running += 1
    line.running += 1
  }

  /** Lets in others once it has ended. Whoever asked is handed its answer itself, which nothing is put between. */
  #ending<Result>(line: Line, read: () => Promise<Result>): Promise<Result> {
    const end = () => {
      this.#running -= 1
      line.running -= 1
      this.#letIn()
      this.#forgetIdle(line)
    }
    let answer: Promise<Result>
    try {
      answer = read()
    } catch (error) {
      end()
      throw error
    }
    answer.then(end, error => {
      const rest = this.#outlasting.get(error)
      if (rest) rest.then(end, end)
      else end()
    })
    return answer
  }

  #letIn(): void {
    for (const line of this.#queue) {
      if (this.#running >= this.#most(OF_ALL)) return
      const [start] = line.waiting
      if (!start || !this.#mayBegin(line)) continue
      this.#queue.delete(line)
      line.waiting.delete(start)
      if (line.waiting.size > 0) this.#queue.add(line)
      this.#begin(line)
      start()
    }
  }

  #forgetIdle(line: Line): void {
    if (line.waiting.size > 0) return
    this.#queue.delete(line)
    if (line.running === 0) this.#lines[line.kind].delete(line.merchantId)
  }

  #most(part: number): number {
    return Math.max(1, Math.floor(this.#size() * part))
  }
}

const unanswered = (merchantId: string, left: number, seconds: number) =>
  `the database did not answer a list of merchant ${merchantId} within the ${left.toFixed(2)} seconds that its wait for others had left of ${seconds}`
