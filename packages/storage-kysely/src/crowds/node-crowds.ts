import type { Resume } from '../channels/in-context.ts'
import type { ClusterNode } from '../citus/nodes/cluster-node.ts'
import {
  answerAlone,
  answerCrowd,
  Crowd,
  type CrowdWork,
  goAlone,
  MOST,
  type Waiting,
  waiting,
} from './crowd.ts'
import { type Going, UnderWay } from './under-way.ts'

/**
 * How long what waits for a node waits for what went there last, in milliseconds: most calls take less, and a crowd of twice as many takes
 * less than two crowds.
 */
export const NODE_PATIENCE = 10

export type AnyCrowd<One, Answer> = Pick<Crowd<One, Answer>, 'call'>

/** One crowd of all, or one for each node where a statement is for one node's rows. */
export function crowdOf<One, Answer>(
  work: CrowdWork<One, Answer>,
  nodeOf?: (one: One) => ClusterNode | undefined,
): AnyCrowd<One, Answer> {
  return nodeOf ? new NodeCrowds(work, nodeOf) : new Crowd(work)
}

/** A call whose node is not known goes alone. */
class NodeCrowds<One, Answer> {
  readonly #work: CrowdWork<One, Answer>
  readonly #nodeOf: (one: One) => ClusterNode | undefined
  readonly #crowds = new Map<ClusterNode, NodeCrowd<One, Answer>>()

  constructor(work: CrowdWork<One, Answer>, nodeOf: (one: One) => ClusterNode | undefined) {
    this.#work = work
    this.#nodeOf = nodeOf
  }

  call(one: One, since?: number, resume: Resume = null): Promise<Answer> {
    const node = this.#nodeOf(one)
    if (node === undefined) return goAlone(this.#work.alone, one, since, resume)
    const crowd = this.#crowds.get(node) ?? new NodeCrowd(this.#work)
    this.#crowds.set(node, crowd)
    return waiting(one, since, resume, call => crowd.add(call))
  }
}

/**
 * Calls that wait for a node. There a statement takes several times as long to find its way and be planned as to be done, so that who waits
 * for one under way, and then goes with all that wait, is answered sooner than if each went at once. By itself goes only one
 * that finds nobody under way: it may wait for a lock for long, which what goes together does not, and so keeps nobody from the other place.
 */
class NodeCrowd<One, Answer> extends UnderWay<Waiting<One, Answer>> {
  readonly #work: CrowdWork<One, Answer>

  constructor(work: CrowdWork<One, Answer>) {
    super(NODE_PATIENCE)
    this.#work = work
  }

  protected fitting(): number {
    return MOST
  }

  protected answer(crowd: Going<Waiting<One, Answer>>, only: boolean): Promise<void> {
    const [oldest] = crowd
    if (crowd.length === 1 && only) return answerAlone(oldest, this.#work.alone)
    return answerCrowd(this.#work, oldest, () => crowd)
  }
}
