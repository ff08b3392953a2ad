import { DatabaseError } from '@tillkit/storage'
import { contextOfCaller } from '../channels/in-context.ts'
import { answerAlone, answerEach, type CrowdWork, type Waiting } from '../connections/crowd.ts'
import { type AnyCrowd, crowdOf } from '../connections/crowds.ts'
import { TurnTooLate } from '../connections/merchant-line.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { isOfDatabase } from '../faults/is-of-database.ts'

/** How many writes go into one statement at most: enough that syncing it to the disk weighs little on each. */
const MOST = 100

/**
 * How many statements of one merchant are under way at once: while one is being committed the next waits at the database
 * already, so that nobody waits for longer than if each write went by itself.
 */
const UNDER_WAY = 2

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
  /** How writes of several merchants, one of each, share a statement; left out where none does. */
  ofEach?: Pick<CrowdWork<Write, Answer>, 'isBusy' | 'together'> | undefined
  /** At which node the merchants are that may share one; left out where all are at one. */
  nodeOf?: ((merchantId: string) => string | undefined) | undefined
}

/**
 * Writes of one merchant that wait for the same lock go into the next statement together, which costs the database one
 * commit; while none is under way each goes by itself, at once, or with those of other merchants where it has to wait for a
 * connection. Each gets its own answer: what is passed by, and all of them where the statement was undone, is written one by one,
 * beside the groups that come after and with what it has left of its time. Where it failed as it would for each, or nobody knows
 * whether it took place, all of them are told so.
 */
export function inGroups<Write, Answer>(
  work: GroupWork<Write, Answer>,
  dialect: Dialect,
): (write: Write) => Promise<Answer> {
  const groups = new Map<string, Group<Write, Answer>>()
  const { ofEach, nodeOf, alone, merchantOf } = work
  const crowd =
    ofEach &&
    crowdOf<Write, Answer>(
      { ...ofEach, alone, isOfEach: error => isOfEach(error, dialect) },
      nodeOf && (write => nodeOf(merchantOf(write))),
    )
  return write =>
    new Promise((resolve, reject) => {
      const merchantId = work.merchantOf(write)
      const group =
        groups.get(merchantId) ?? new Group(work, crowd, dialect, merchantId, () => groups.delete(merchantId))
      groups.set(merchantId, group)
      group.add({ one: write, since: performance.now(), resume: contextOfCaller(), resolve, reject })
    })
}

class Group<Write, Answer> {
  readonly #work: GroupWork<Write, Answer>
  readonly #crowd: AnyCrowd<Write, Answer> | undefined
  readonly #dialect: Dialect
  readonly #merchantId: string
  readonly #ended: () => void
  #waiting: Waiting<Write, Answer>[] = []
  #underWay = 0

  constructor(
    work: GroupWork<Write, Answer>,
    crowd: AnyCrowd<Write, Answer> | undefined,
    dialect: Dialect,
    merchantId: string,
    ended: () => void,
  ) {
    this.#work = work
    this.#crowd = crowd
    this.#dialect = dialect
    this.#merchantId = merchantId
    this.#ended = ended
  }

  add(one: Waiting<Write, Answer>): void {
    this.#waiting.push(one)
    if (this.#underWay < UNDER_WAY) void this.#next()
  }

  async #next(): Promise<void> {
    this.#underWay += 1
    await this.#answer(this.#take())
    this.#underWay -= 1
    if (this.#waiting.length > 0) void this.#next()
    else if (this.#underWay === 0) this.#ended()
  }

  /** Those that have waited longest, in the order they came, up to the first that cannot go with them. */
  #take(): Waiting<Write, Answer>[] {
    const { keyOf, commonOf } = this.#work
    const keys = new Set<string | number>()
    const [first] = this.#waiting
    const common = first && commonOf(first.one)
    let count = 0
    for (const { one: write } of this.#waiting) {
      const key = keyOf(write)
      if (count === MOST || commonOf(write) !== common || (key !== null && keys.has(key))) break
      if (key !== null) keys.add(key)
      count += 1
    }
    return this.#waiting.splice(0, count)
  }

  async #answer(group: Waiting<Write, Answer>[]): Promise<void> {
    const [oldest] = group
    if (!oldest) return
    if (group.length === 1) return this.#answerOne(oldest)
    const { together, alone } = this.#work
    const writes = group.map(({ one }) => one)
    await answerEach(
      oldest,
      () => together(this.#merchantId, writes, oldest.since),
      () => group,
      { alone, isOfEach: error => isOfEach(error, this.#dialect) },
    )
  }

  /** Of one that has its merchant to itself others may go along, where it has to wait for a connection. */
  #answerOne(only: Waiting<Write, Answer>): Promise<void> {
    if (!this.#crowd || this.#underWay > 1) return answerAlone(only, this.#work.alone)
    const { one, since, resume, resolve, reject } = only
    return this.#crowd.call(one, since, resume).then(resolve, reject)
  }
}

/** True for an error that each would get by itself. That the oldest waited in vain says nothing of the others. */
function isOfEach(error: unknown, dialect: Dialect): boolean {
  const waitedInVain = error instanceof DatabaseError && error.cause instanceof TurnTooLate
  return !waitedInVain && isOfDatabase(error, dialect)
}
