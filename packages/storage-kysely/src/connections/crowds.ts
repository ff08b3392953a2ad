import { contextOfCaller, type Resume } from '../channels/in-context.ts'
import { answerAlone, answerEach, Crowd, type CrowdWork, MOST, type Waiting } from './crowd.ts'

export type AnyCrowd<One, Answer> = Pick<Crowd<One, Answer>, 'call'>

/** One crowd of all, or one for each node where a statement is for one node's rows. */
export function crowdOf<One, Answer>(
  work: CrowdWork<One, Answer>,
  nodeOf?: (one: One) => string | undefined,
): AnyCrowd<One, Answer> {
  return nodeOf ? new NodeCrowds(work, nodeOf) : new Crowd(work)
}

/** A call whose node is not known goes alone. */
class NodeCrowds<One, Answer> {
  readonly #work: CrowdWork<One, Answer>
  readonly #nodeOf: (one: One) => string | undefined
  readonly #crowds = new Map<string, NodeCrowd<One, Answer>>()

  constructor(work: CrowdWork<One, Answer>, nodeOf: (one: One) => string | undefined) {
    this.#work = work
    this.#nodeOf = nodeOf
  }

  call(one: One, since?: number, resume: Resume = null): Promise<Answer> {
    const { alone } = this.#work
    const node = this.#nodeOf(one)
    if (node === undefined) return resume ? resume(() => alone(one, since)) : alone(one, since)
    const crowd = this.#crowds.get(node) ?? new NodeCrowd(this.#work)
    this.#crowds.set(node, crowd)
    return crowd.call(one, since, resume)
  }
}

/** How many statements are under way to a node at once: while one is at work there the next is on its way. */
const UNDER_WAY = 2

/**
 * Calls that wait for a node. There a statement takes several times as long to find its way and be planned as to be done, so that who waits
 * for one under way, and then goes with all that wait, is answered sooner than if each went at once. By itself goes only one
 * that finds nobody under way: it may wait for a lock, which what goes together does not, and so keeps nobody from the other place.
 */
class NodeCrowd<One, Answer> {
  readonly #work: CrowdWork<One, Answer>
  #waiting: Waiting<One, Answer>[] = []
  #underWay = 0

  constructor(work: CrowdWork<One, Answer>) {
    this.#work = work
  }

  call(one: One, since: number | undefined, resume: Resume): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const waiting = { one, since: since ?? performance.now(), resume: resume ?? contextOfCaller() }
      this.#waiting.push({ ...waiting, resolve, reject })
      if (this.#underWay < UNDER_WAY) void this.#next()
    })
  }

  async #next(): Promise<void> {
    this.#underWay += 1
    const crowd = this.#waiting.splice(0, MOST)
    await this.#answer(crowd)
    this.#underWay -= 1
    if (this.#waiting.length > 0) void this.#next()
  }

  async #answer(crowd: Waiting<One, Answer>[]): Promise<void> {
    const { together, alone, isOfEach } = this.#work
    const [oldest] = crowd
    if (!oldest) return
    if (crowd.length === 1 && this.#underWay === 1) return answerAlone(oldest, alone)
    const ones = crowd.map(({ one }) => one)
    await answerEach(
      oldest,
      () => together(() => ones, oldest.since),
      () => crowd,
      { alone, isOfEach },
    )
  }
}
