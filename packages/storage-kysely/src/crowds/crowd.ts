import { CommitUnknownError } from '@tillkit/storage'
import { contextOfCaller, type Resume } from '../channels/in-context.ts'
import { CommitUnsynced } from '../connections/commit-unknown.ts'
import { OutOfTime } from '../connections/limits/deadline.ts'
import { ofDoubt } from '../session/transactions/doubt.ts'

/** How many share one statement at most. */
export const MOST = 100

/** What came within so many milliseconds after the one that has waited longest is as old: it has nothing left of its time either. */
const AS_OLD = 10

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
  /** True for an error that each would get by itself, once its time is over too. */
  isOfEach(error: unknown): boolean
  /** Done twice, it is as if done once. */
  repeatable?: boolean | undefined
}

/** A call that waits to be done with others. */
export interface Waiting<One, Answer> {
  one: One
  /** By `performance.now()`. */
  since: number
  /** In whose context it is done; of several that is the one that has waited longest. */
  resume: Resume
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

type Alone<One, Answer> = CrowdWork<One, Answer>['alone']

/**
 * Gives each that shared a statement its own answer. Those that it passed by go on alone; where it failed, all of them do, unless each
 * would get that error by itself. That the time of the oldest was over says nothing of those that came later, nor does it that nobody
 * knows whether what may be done twice took place.
 */
export async function answerEach<One, Answer>(
  oldest: Waiting<One, Answer>,
  together: () => Promise<(Answer | undefined)[]>,
  all: () => Waiting<One, Answer>[],
  { alone, isOfEach, repeatable = false }: Pick<CrowdWork<One, Answer>, 'alone' | 'isOfEach' | 'repeatable'>,
): Promise<void> {
  try {
    const answers = await (oldest.resume ? oldest.resume(together) : together())
    for (const [place, each] of all().entries()) {
      const answer = answers[place]
      if (answer === undefined) void answerAlone(each, alone)
      else each.resolve(answer)
    }
  } catch (error) {
    const ofEach = isOfEach(error)
    const unknown = error instanceof CommitUnknownError ? error : undefined
    const mayBeDoneAgain = repeatable && unknown !== undefined && !(error instanceof CommitUnsynced)
    const sparesTheYoung = error instanceof OutOfTime || mayBeDoneAgain
    for (const each of all()) {
      const isYoung = each.since > oldest.since + AS_OLD
      if (ofEach && !(sparesTheYoung && isYoung)) each.reject(error)
      else void answerAlone(each, alone, unknown)
    }
  }
}

/** All that share a statement, for whom `oldest` asks: who they are `all` says, once there is a connection. */
export function answerCrowd<One, Answer>(
  { together, alone, isOfEach, repeatable }: CrowdWork<One, Answer>,
  oldest: Waiting<One, Answer>,
  all: () => Waiting<One, Answer>[],
): Promise<void> {
  let had = false
  const take = () => {
    had = true
    return all().map(({ one }) => one)
  }
  // That there was no connection in the time of the oldest says nothing of the others.
  const ofEach = (error: unknown) => had && isOfEach(error)
  return answerEach(oldest, () => together(take, oldest.since), all, { alone, isOfEach: ofEach, repeatable })
}

/** One, with what it has left of its time. `unknown` says that it may have been done with others, which it stays unless the database tells. */
export function answerAlone<One, Answer>(
  { one, since, resume, resolve, reject }: Waiting<One, Answer>,
  alone: Alone<One, Answer>,
  unknown?: CommitUnknownError,
): Promise<void> {
  return goAlone(alone, one, since, resume).then(resolve, error => reject(ofDoubt({ unknown }, error)))
}

/** One, in the context in which it was asked for. */
export function goAlone<One, Answer>(
  alone: Alone<One, Answer>,
  one: One,
  since: number | undefined,
  resume: Resume,
): Promise<Answer> {
  return resume ? resume(() => alone(one, since)) : alone(one, since)
}

/** The answer to a call that waits, and is handed to `wait` meanwhile. */
export function waiting<One, Answer>(
  one: One,
  since: number | undefined,
  resume: Resume,
  wait: (waiting: Waiting<One, Answer>) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    wait({ one, since: since ?? performance.now(), resume: resume ?? contextOfCaller(), resolve, reject })
  })
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
    if (!isBusy()) return goAlone(alone, one, since, resume)
    return waiting(one, since, resume, call => {
      this.#waiting.push(call)
      if (this.#waiting.length === 1) void this.#ask()
    })
  }

  async #ask(): Promise<void> {
    const [oldest] = this.#waiting
    if (!oldest) return
    let crowd: Waiting<One, Answer>[] = []
    const all = () => {
      if (crowd.length === 0) crowd = this.#take()
      return crowd
    }
    await answerCrowd(this.#work, oldest, all)
  }

  #take(): Waiting<One, Answer>[] {
    const crowd = this.#waiting.slice(0, MOST)
    this.#waiting = this.#waiting.slice(MOST)
    if (this.#waiting.length > 0) void this.#ask()
    return crowd
  }
}
