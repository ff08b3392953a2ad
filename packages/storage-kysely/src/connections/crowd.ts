import { contextOfCaller, type Resume } from '../channels/in-context.ts'

/** How many share one statement at most. */
const MOST = 100

/** What is done with calls that wait for a connection. */
export interface CrowdWork<One, Answer> {
  /** Whether a call would have to wait for a connection now. */
  isBusy(): boolean
  /**
   * All that wait, in one statement, as one that has waited since then, by `performance.now()`: who they are `take` says, the same
   * each time, once there is a connection. Undefined for those that it passes by.
   */
  together(take: () => One[], since: number): Promise<(Answer | undefined)[]>
  /** One, as if there were no others. */
  alone(one: One, since?: number): Promise<Answer>
  /** True for an error that each would get by itself. */
  isOfEach(error: unknown): boolean
}

interface Waiting<One, Answer> {
  one: One
  /** By `performance.now()`. */
  since: number
  /** In whose context it is done; of a crowd that is the one that has waited longest. */
  resume: Resume
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/**
 * Calls that have to wait for a connection anyway: one of them asks for it on behalf of all, and the statement that it then
 * sends is for whoever has come by that time. So none waits for longer than it would alone. What the statement passes
 * by, and all of them where it failed in a way that says nothing of each, goes on alone, with what it has left of its time.
 */
export class Crowd<One, Answer> {
  readonly #work: CrowdWork<One, Answer>
  #waiting: Waiting<One, Answer>[] = []

  constructor(work: CrowdWork<One, Answer>) {
    this.#work = work
  }

  /** Alone where there is a connection; with the others where it waits, as one that has waited since then. */
  call(one: One, since?: number, resume: Resume = null): Promise<Answer> {
    const { isBusy, alone } = this.#work
    if (!isBusy()) return resume ? resume(() => alone(one, since)) : alone(one, since)
    return new Promise((resolve, reject) => {
      const waiting = { one, since: since ?? performance.now(), resume: resume ?? contextOfCaller() }
      this.#waiting.push({ ...waiting, resolve, reject })
      if (this.#waiting.length === 1) void this.#ask()
    })
  }

  async #ask(): Promise<void> {
    const [oldest] = this.#waiting
    if (!oldest) return
    let crowd: Waiting<One, Answer>[] = []
    const take = () => {
      if (crowd.length === 0) crowd = this.#take()
      return crowd.map(({ one }) => one)
    }
    const together = () => this.#work.together(take, oldest.since)
    try {
      const answers = await (oldest.resume ? oldest.resume(together) : together())
      for (const [place, each] of crowd.entries()) {
        const answer = answers[place]
        if (answer === undefined) void this.#alone(each)
        else each.resolve(answer)
      }
    } catch (error) {
      const had = crowd.length > 0
      take()
      for (const each of crowd) {
        if (had && this.#work.isOfEach(error)) each.reject(error)
        else void this.#alone(each)
      }
    }
  }

  #take(): Waiting<One, Answer>[] {
    const crowd = this.#waiting.slice(0, MOST)
    this.#waiting = this.#waiting.slice(MOST)
    if (this.#waiting.length > 0) void this.#ask()
    return crowd
  }

  #alone({ one, since, resume, resolve, reject }: Waiting<One, Answer>): Promise<void> {
    const answer = resume ? resume(() => this.#work.alone(one, since)) : this.#work.alone(one, since)
    return answer.then(resolve, reject)
  }
}
