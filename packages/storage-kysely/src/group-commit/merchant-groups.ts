import { DatabaseError } from '@tillkit/storage'
import type { ClusterNode } from '../citus/nodes/cluster-node.ts'
import { TurnTooLate } from '../connections/turns/merchant-line.ts'
import { answerAlone, answerEach, type CrowdWork, type Waiting, waiting } from '../crowds/crowd.ts'
import { type AnyCrowd, crowdOf, NODE_PATIENCE } from '../crowds/node-crowds.ts'
import { type Going, UnderWay } from '../crowds/under-way.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { isOfDatabase } from '../faults/is-of-database.ts'

/** How many writes go into one statement at most: enough that syncing it to the disk weighs little on each. */
const MOST = 100

/** What is done with the writes of one merchant. */
export interface GroupWork<Write, Answer> {
  merchantOf(write: Write): string
  /** Writes of one key have to see each other, and go one after the other. Null has no like. */
  keyOf(write: Write): string | number | null
  /** What all writes of a statement have in common. */
  commonOf(write: Write): string | null
  /** All of them in one transaction, as one that waits since then; undefined for those that it passed by. */
  together(merchantId: string, writes: Write[], since: number): Promise<(Answer | undefined)[]>
  /** One, as if there were no others. */
  alone(write: Write, since?: number): Promise<Answer>
  /** Done twice, it is as if done once. */
  repeatable?: boolean | undefined
  /** How writes of several merchants, one of each, share a statement; left out where none does. */
  ofEach?: Pick<CrowdWork<Write, Answer>, 'isBusy' | 'together'> | undefined
  /** At which node the merchants are that may share one; left out where all are at one. */
  nodeOf?: ((merchantId: string) => ClusterNode | undefined) | undefined
}

/**
 * Writes of one merchant that wait for the same lock go into the next statement together, which costs the database one
 * commit; while none is under way each goes by itself, at once, or with those of other merchants where it has to wait for a
 * connection. Each gets its own answer: what is passed by, and all of them where the statement was undone, is written one by one,
 * beside the groups that come after and with what it has left of its time. Where it failed as it would for each, or nobody knows
 * whether it took place, all of them are told so; but those that came after the oldest, whose time was over, go on where nothing was
 * written or what was may be written again.
 */
export function inGroups<Write, Answer>(
  work: GroupWork<Write, Answer>,
  dialect: Dialect,
): (write: Write) => Promise<Answer> {
  const groups = new Map<string, Group<Write, Answer>>()
  const { ofEach, nodeOf, alone, merchantOf, repeatable } = work
  const crowd =
    ofEach &&
    crowdOf<Write, Answer>(
      { ...ofEach, alone, repeatable, isOfEach: error => isOfEach(error, dialect) },
      nodeOf && (write => nodeOf(merchantOf(write))),
    )
  return write => {
    const merchantId = merchantOf(write)
    const group =
      groups.get(merchantId) ?? new Group(work, crowd, dialect, merchantId, () => groups.delete(merchantId))
    groups.set(merchantId, group)
    return waiting(write, undefined, null, call => group.add(call))
  }
}

/** The writes of one merchant, until none waits and none is under way. */
class Group<Write, Answer> extends UnderWay<Waiting<Write, Answer>> {
  readonly #work: GroupWork<Write, Answer>
  readonly #crowd: AnyCrowd<Write, Answer> | undefined
  readonly #dialect: Dialect
  readonly #merchantId: string
  readonly #ended: () => void

  constructor(
    work: GroupWork<Write, Answer>,
    crowd: AnyCrowd<Write, Answer> | undefined,
    dialect: Dialect,
    merchantId: string,
    ended: () => void,
  ) {
    super(work.nodeOf && NODE_PATIENCE)
    this.#work = work
    this.#crowd = crowd
    this.#dialect = dialect
    this.#merchantId = merchantId
    this.#ended = ended
  }

  protected override ended(): void {
    this.#ended()
  }

  /** Up to the first that cannot go with them. */
  protected fitting(waiting: Waiting<Write, Answer>[]): number {
    const { keyOf, commonOf } = this.#work
    const keys = new Set<string | number>()
    const [first] = waiting
    const common = first && commonOf(first.one)
    let count = 0
    for (const { one: write } of waiting) {
      const key = keyOf(write)
      if (count === MOST || commonOf(write) !== common || (key !== null && keys.has(key))) break
      if (key !== null) keys.add(key)
      count += 1
    }
    return count
  }

  protected answer(group: Going<Waiting<Write, Answer>>, only: boolean): Promise<void> {
    const [oldest] = group
    if (group.length === 1) return this.#answerOne(oldest, only)
    const { together, alone, repeatable } = this.#work
    const writes = group.map(({ one }) => one)
    return answerEach(
      oldest,
      () => together(this.#merchantId, writes, oldest.since),
      () => group,
      { alone, repeatable, isOfEach: error => isOfEach(error, this.#dialect) },
    )
  }

  /** Of one that has its merchant to itself others may go along, where it has to wait for a connection. */
  #answerOne(one: Waiting<Write, Answer>, only: boolean): Promise<void> {
    if (!this.#crowd || !only) return answerAlone(one, this.#work.alone)
    return this.#crowd.call(one.one, one.since, one.resume).then(one.resolve, one.reject)
  }
}

/** True for an error that each would get by itself. That the oldest waited in vain says nothing of the others. */
function isOfEach(error: unknown, dialect: Dialect): boolean {
  const waitedInVain = error instanceof DatabaseError && error.cause instanceof TurnTooLate
  return !waitedInVain && isOfDatabase(error, dialect)
}
